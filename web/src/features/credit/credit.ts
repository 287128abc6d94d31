// Store credit API: the customer's balance and entries.
import * as m from "messages/credit";
import type { ReactNode } from "react";
import { readError } from "../../lib/api";
import type { CreditEntry, Currency, Quote, StoreCredit } from "../../lib/api.gen";
import { authFetch } from "../auth/api-auth";

export type CreditPage = StoreCredit & { next: string | null };

export async function fetchCredit(
  limit: number,
  cursor: string | null = null,
): Promise<CreditPage> {
  const query = new URLSearchParams({ limit: String(limit), ...(cursor !== null && { cursor }) });
  const answer = await authFetch(`/api/credit?${query}`);
  if (!answer.ok) throw await readError(answer);
  const credit = (await answer.json()) as StoreCredit;
  return { ...credit, next: answer.headers.get("x-next-cursor") };
}

// What can be spent, in the currency of the page.
export type Balance = { amount: number; currency: Currency };

export async function fetchBalance(currency: Currency): Promise<Balance> {
  return { amount: (await fetchCredit(1)).spendable, currency };
}

// The part of a total that credit can pay. Unknown while the two are in different currencies.
export function payable(
  balance: Balance | null,
  quote: Pick<Quote, "total" | "currency"> | null,
): number | null {
  if (quote === null) return null;
  if (balance === null) return 0;
  return balance.currency === quote.currency ? Math.min(balance.amount, quote.total) : null;
}

// What an entry is for; `order` is the order's number, as a link.
export function entryText(
  { kind, note }: Pick<CreditEntry, "kind" | "note">,
  order: () => ReactNode,
): ReactNode {
  return kind === "granted" && note !== "" ? note : ENTRY_TEXTS[kind]({ order });
}

const ENTRY_TEXTS: Record<CreditEntry["kind"], (of: { order: () => ReactNode }) => ReactNode> = {
  granted: m.granted,
  refund: m.refund,
  spent: m.spent,
  returned: m.returned,
  ended: m.ended,
};
