// Which ways to pay can be chosen for an amount.
import type { Currency, PaymentMethod, PaymentProvider } from "../../lib/api.gen";

// Why a way to pay cannot be chosen.
export type Refusal =
  | { kind: "notOffered" }
  // It takes only these currencies.
  | { kind: "currency"; takes: Currency[] }
  | { kind: "amount"; min: number | null; max: number | null };

// Null where it can be chosen. `amount`: null while it is not known.
export function refusalOf(
  { enabled, amounts }: PaymentMethod,
  amount: number | null,
  currency: Currency,
): Refusal | null {
  if (!enabled) return { kind: "notOffered" };
  const range = amounts.find((one) => one.currency === currency);
  if (range === undefined)
    return { kind: "currency", takes: amounts.map(({ currency }) => currency) };
  const { min, max } = range;
  if (amount === null) return null;
  const isTaken = (min === null || amount >= min) && (max === null || amount <= max);
  return isTaken ? null : { kind: "amount", min, max };
}

// The wanted one, or else the first that can be chosen; null where none can.
export function chooseMethod(
  methods: PaymentMethod[],
  wanted: PaymentProvider | undefined,
  amount: number | null,
  currency: Currency,
): PaymentProvider | null {
  const possible = methods
    .filter((method) => refusalOf(method, amount, currency) === null)
    .map(({ provider }) => provider);
  const [first = null] = possible;
  return possible.find((provider) => provider === wanted) ?? first;
}

// Whether the shopper pays on the page of a provider.
export function isPaidElsewhere(provider: PaymentProvider): boolean {
  return !["cash_on_delivery", "store_credit", "gift_card"].includes(provider);
}
