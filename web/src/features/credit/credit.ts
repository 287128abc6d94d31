// Store credit API: the customer's balance and entries.
import type { CreditEntry, StoreCredit } from "../../lib/api.gen";
import { type Cents, cents } from "../../lib/money";
import { authFetch, readError } from "../auth/api-auth";

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

// The text before the order's number, or alone where there is no order.
export function entryText({ kind, note }: Pick<CreditEntry, "kind" | "note">): string {
  return kind === "granted" ? note || "From the shop" : ENTRY_TEXTS[kind];
}

const ENTRY_TEXTS: Record<Exclude<CreditEntry["kind"], "granted">, string> = {
  refund: "Refund of order",
  spent: "Paid for order",
  returned: "Back from order",
  ended: "Ended with the account",
};
