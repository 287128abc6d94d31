// The customer's own store credit, by the shop's word.
import type { CreditEntry, StoreCredit } from "./api.gen";
import { type Cents, cents } from "./money";
import { askOwn, refusalOf } from "./own";

export type CreditPage = StoreCredit & { next: string | null };

export async function readCredit(limit: number, cursor: string | null = null): Promise<CreditPage> {
  const query = new URLSearchParams({ limit: String(limit), ...(cursor !== null && { cursor }) });
  const answer = await askOwn(`/api/credit?${query}`);
  if (!answer.ok) throw await refusalOf(answer);
  const credit = (await answer.json()) as StoreCredit;
  return { ...credit, next: answer.headers.get("x-next-cursor") };
}

export async function readBalance(): Promise<Cents> {
  return cents((await readCredit(1)).balance);
}

// What of a total it pays: as much as there is, and no more than there is to pay.
export function spendable(balance: Cents, total: Cents): Cents {
  return Math.min(balance, total) as Cents;
}

// What stands before the order's number; without an order, all there is to say.
export function whatFor({ kind, note }: Pick<CreditEntry, "kind" | "note">): string {
  return kind === "granted" ? note || "From the shop" : WORDS[kind];
}

const WORDS: Record<Exclude<CreditEntry["kind"], "granted">, string> = {
  refund: "Refund of order",
  spent: "Paid for order",
  returned: "Back from order",
  ended: "Ended with the account",
};
