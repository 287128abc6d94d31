// What is said about a way to pay: what happens next, or why it cannot be chosen.
import * as m from "messages/payment";
import type { Currency, PaymentProvider } from "../../lib/api.gen";
import { format } from "../../lib/money";
import { PAYMENT_NAMES } from "../layout/payment-icons";
import type { Refusal } from "./method-rules";

const NAMED = ["BDT", "USD", "EUR", "GBP"] as const;

const NEXT: Record<PaymentProvider, () => string> = {
  cash_on_delivery: m.cashText,
  card: m.cardText,
  paypal: m.paypalText,
  google_pay: m.googlePayText,
  bkash: m.bkashText,
  sslcommerz: m.sslcommerzText,
  store_credit: m.creditText,
  gift_card: m.creditText,
};

// Where goods are picked up, there is no courier.
export function nextText(provider: PaymentProvider, isPickup: boolean): string {
  return isPickup && provider === "cash_on_delivery" ? m.cashAtPickupText() : NEXT[provider]();
}

export function refusalText(
  provider: PaymentProvider,
  refusal: Refusal,
  currency: Currency,
): string {
  const name = PAYMENT_NAMES[provider]();
  if (refusal.kind === "notOffered") return m.notAvailableYet();
  if (refusal.kind === "currency") {
    return m.takesOnly({ name, currencies: refusal.takes.map(inCurrency).join(", ") });
  }
  const { min, max } = refusal;
  const money = (amount: number) => format(amount, currency, true);
  if (min === null) return m.takesAtMost({ name, most: money(max ?? 0) });
  if (max === null) return m.takesAtLeast({ name, least: money(min) });
  return m.takesBetween({ name, least: money(min), most: money(max) });
}

function inCurrency(code: Currency): string {
  return m.inCurrency({ currency: NAMED.find((one) => one === code) ?? "other", code });
}
