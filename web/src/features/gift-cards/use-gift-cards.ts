// The gift cards that are to pay for an order: in memory, and in an order that was sent and is not answered yet.

import * as m from "messages/giftCards";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Currency, GiftCardBalance, Quote } from "../../lib/api.gen";
import { sum } from "../../lib/money";
import {
  type CardPart,
  type CheckedCard,
  cardParts,
  checkGiftCard,
  hasBalance,
  type NoBalance,
  normalizeCode,
  whyUseless,
} from "./gift-cards";

export type GiftCards = {
  // What each card pays of the quote's total.
  parts: CardPart[];
  // What they pay together.
  paid: number;
  // The balances are those of now, in the currency of the quote.
  known: boolean;
  // Why they are not, where that can be tried again (`refresh`).
  failure: string | null;
  // Resolves to a message where the card cannot pay.
  add: (typed: string) => Promise<string | undefined>;
  remove: (code: string) => void;
  // Reads the balances again.
  refresh: () => void;
};

// `start`: the codes of an order that was sent before a reload.
export function useGiftCards(
  quote: Pick<Quote, "total" | "currency"> | null,
  currency: Currency,
  start: string[],
): GiftCards {
  const [cards, setCards] = useState<CheckedCard[]>([]);
  const [loading, setLoading] = useState(start.length > 0);
  const [failure, setFailure] = useState<string | null>(null);
  const codes = useRef(start.map(normalizeCode));
  const round = useRef(0);

  const load = useCallback(async () => {
    const asked = codes.current;
    if (asked.length === 0) return;
    const mine = ++round.current;
    setLoading(true);
    const checked = await Promise.all(
      asked.map(async (code) => ({ code, currency, card: await checkGiftCard(code) })),
    );
    if (mine !== round.current) return;
    // All balances, or none: a card that cannot be checked now is not left out.
    const failed = checked.map(({ card }) => card).find(isTemporary);
    setFailure(failed?.message ?? null);
    setLoading(false);
    if (failed !== undefined) return;
    // Cards may have been added and removed meanwhile.
    const usable = checked.filter(isUsable).filter(({ code }) => codes.current.includes(code));
    const kept = usable.map(({ code }) => code);
    codes.current = codes.current.filter((code) => !asked.includes(code) || kept.includes(code));
    setCards((before) => [...usable, ...before.filter(({ code }) => !asked.includes(code))]);
  }, [currency]);
  useEffect(() => void load(), [load]);
  // Added while another currency was chosen.
  const isStale = cards.some((card) => card.currency !== currency);
  useEffect(() => {
    if (isStale) void load();
  }, [isStale, load]);

  async function add(typed: string): Promise<string | undefined> {
    const code = normalizeCode(typed);
    if (code === "") return m.codeMissing();
    if (codes.current.includes(code)) return m.twice();
    const card = await checkGiftCard(code);
    if (!hasBalance(card)) return card.message;
    const useless = whyUseless(card);
    if (useless !== undefined) return useless;
    if (codes.current.includes(code)) return m.twice();
    codes.current = [...codes.current, code];
    setCards((before) => [...before, { code, currency, card }]);
    return undefined;
  }

  function remove(code: string) {
    codes.current = codes.current.filter((other) => other !== code);
    setCards((before) => before.filter((card) => card.code !== code));
  }

  const fits = cards.every((card) => card.currency === quote?.currency);
  const parts = quote !== null && fits ? cardParts(cards, quote.total, quote.currency) : [];
  return {
    parts,
    paid: sum(
      parts.map(({ amount }) => amount),
      currency,
    ),
    known: !loading && failure === null && (cards.length === 0 || fits),
    failure,
    add,
    remove,
    refresh: () => void load(),
  };
}

type Checked = GiftCardBalance | NoBalance;

function isUsable(checked: { card: Checked }): checked is CheckedCard {
  return hasBalance(checked.card) && whyUseless(checked.card) === undefined;
}

function isTemporary(checked: Checked): checked is NoBalance {
  return !hasBalance(checked) && checked.unknown !== true;
}
