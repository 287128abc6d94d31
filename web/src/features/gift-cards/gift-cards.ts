// Gift cards API, and how cards pay for a total. A code is only ever sent in the body of a request.
import * as m from "messages/giftCards";
import { apiFetch, readError } from "../../lib/api";
import type { Currency, GiftCardBalance } from "../../lib/api.gen";
import { longDate } from "../../lib/dates";
import { minus } from "../../lib/money";
import { asciiDigits } from "../../lib/numbers";
import { jsonBody, LONGEST_WAIT } from "../auth/api-auth";

export const MAX_CARDS = 10;
export const LONGEST_CODE = 60;

// A card that the shopper wants to spend, as the shop sees it in this currency.
export type CheckedCard = { code: string; currency: Currency; card: GiftCardBalance };

// What a card pays of a total.
export type CardPart = { code: string; lastFour: string; amount: number };

// In the server's one form, to recognise a code that was typed twice.
export function normalizeCode(typed: string): string {
  return asciiDigits(typed)
    .replace(/[\s-]+/g, "")
    .toUpperCase();
}

// Why there is no balance to show. `unknown`: there is no such card, whenever one asks.
export type NoBalance = { message: string; unknown?: boolean };

export async function checkGiftCard(code: string): Promise<GiftCardBalance | NoBalance> {
  const init = { ...jsonBody({ code }), signal: AbortSignal.timeout(LONGEST_WAIT) };
  try {
    const answer = await apiFetch("/api/gift-cards/check", init);
    if (answer.ok) return (await answer.json()) as GiftCardBalance;
    if (answer.status === 404) return { message: m.unknown(), unknown: true };
    if (answer.status === 429) return { message: m.tooOften() };
    return { message: (await readError(answer)).message };
  } catch {
    return { message: m.unreachable() };
  }
}

export function hasBalance(checked: GiftCardBalance | NoBalance): checked is GiftCardBalance {
  return !("message" in checked);
}

// Why a card pays nothing; undefined where it pays.
export function whyUseless(card: GiftCardBalance): string | undefined {
  if (card.state === "disabled") return m.disabled();
  if (card.state === "expired") return m.expired({ date: longDate(card.expiresAt ?? "") });
  return card.spendable === 0 ? m.empty() : undefined;
}

// Each card pays as much as it can, in their order.
export function cardParts(cards: CheckedCard[], total: number, currency: Currency): CardPart[] {
  let left = total;
  return cards.map(({ code, card }) => {
    const amount = Math.min(card.spendable, left);
    left = minus(left, amount, currency);
    return { code, lastFour: card.lastFour, amount };
  });
}
