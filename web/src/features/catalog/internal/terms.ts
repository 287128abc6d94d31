// Delivery, return and payment terms as sentences.
import type { PaymentMethod, Terms } from "../../../lib/api.gen";
import { type Cents, cents } from "../../../lib/money";
import { pluralize } from "../../../lib/text";

export function deliveryText(terms: Terms, money: (amount: Cents) => string): string {
  const { delivery, shipping, freeDeliveryOver } = terms;
  const arrives = delivery === null ? "Delivery" : `Delivery in ${delivery}`;
  if (shipping === 0) return `${arrives}, free`;
  const costs = `${arrives} for ${money(cents(shipping))}`;
  return freeDeliveryOver === null
    ? costs
    : `${costs}, free over ${money(cents(freeDeliveryOver))}`;
}

export function returnText({ returnDays }: Terms, payments: PaymentMethod[]): string {
  const ways = payments.filter(({ enabled }) => enabled).map(({ title }) => title);
  const returns =
    returnDays === 0
      ? "No returns"
      : `Return it within ${pluralize(returnDays, "day", "days")} of delivery`;
  return [
    returns,
    ...(ways.length > 0 ? [`pay by ${ways.map(inSentence).join(" or ")}`] : []),
  ].join(", ");
}

// Proper names keep their capital letter.
function inSentence(title: string): string {
  return /^[A-Z][a-z]+ [a-z]/.test(title) ? title[0]?.toLowerCase() + title.slice(1) : title;
}
