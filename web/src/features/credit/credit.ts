// Store credit API: the customer's balance and entries.
import * as m from "messages/credit";
import type { ReactNode } from "react";
import { readError } from "../../lib/api";
import type { CreditEntry, StoreCredit } from "../../lib/api.gen";
import { type Cents, cents } from "../../lib/money";
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

export async function fetchBalance(): Promise<Cents> {
  return cents((await fetchCredit(1)).balance);
}

// The part of a total that credit can pay.
export function spendable(balance: Cents, total: Cents): Cents {
  return Math.min(balance, total) as Cents;
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
