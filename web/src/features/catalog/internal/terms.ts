// Delivery, return and payment terms as sentences.
import * as m from "messages/catalog";
import type { BuyingTerms, Shop } from "../../../lib/api.gen";
import { PAYMENT_NAMES } from "../../layout/payment-icons";

export function deliveryText(terms: BuyingTerms, money: (amount: number) => string): string {
  const { delivery, shipping, freeDeliveryOver } = terms;
  const paid = freeDeliveryOver === null ? "priced" : "freeOver";
  const known = shipping === 0 ? "free" : paid;
  const { least, most } = delivery ?? { least: 0, most: 0 };
  const exact = least === most ? "exact" : "range";
  return m.delivery({
    timed: delivery === null ? "other" : exact,
    least,
    most,
    cost: shipping === null ? "other" : known,
    price: money(shipping ?? 0),
    limit: money(freeDeliveryOver ?? 0),
  });
}

// With the ways to pay in the currency of the page.
export function returnText(
  { returnDays }: BuyingTerms,
  { payments, currency }: Pick<Shop, "payments" | "currency">,
): string {
  const ways = payments
    .filter(({ amounts }) => amounts.some((one) => one.currency === currency))
    .map(({ provider }) => inSentence(PAYMENT_NAMES[provider]()));
  const returns = returnDays === 0 ? m.noReturns() : m.returnWithin({ days: returnDays });
  if (ways.length === 0) return returns;
  return m.returnsAndPayment({
    returns,
    ways: ways.reduce((first, last) => m.or({ first, last })),
  });
}

// Proper names keep their capital letter.
function inSentence(title: string): string {
  return /^[A-Z][a-z]+ [a-z]/.test(title) ? title[0]?.toLowerCase() + title.slice(1) : title;
}
