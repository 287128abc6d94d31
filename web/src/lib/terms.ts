// What a shopper wants to know before buying, as sentences from the shop's settings.
import type { PaymentMethod, Terms } from "./api.gen";
import { type Cents, cents } from "./money";
import { count } from "./text";

export function deliveryWords(terms: Terms, money: (amount: Cents) => string): string {
  const { delivery, shipping, freeDeliveryOver } = terms;
  const arrives = delivery === null ? "Delivery" : `Delivery in ${delivery}`;
  if (shipping === 0) return `${arrives}, free`;
  const costs = `${arrives} for ${money(cents(shipping))}`;
  return freeDeliveryOver === null
    ? costs
    : `${costs}, free over ${money(cents(freeDeliveryOver))}`;
}

export function returnWords({ returnDays }: Terms, payments: PaymentMethod[]): string {
  const ways = payments.filter(({ enabled }) => enabled).map(({ title }) => title);
  const returns =
    returnDays === 0
      ? "No returns"
      : `Return it within ${count(returnDays, "day", "days")} of delivery`;
  return [
    returns,
    ...(ways.length > 0 ? [`pay by ${ways.map(inSentence).join(" or ")}`] : []),
  ].join(", ");
}

// A name of one's own keeps its capital.
function inSentence(title: string): string {
  return /^[A-Z][a-z]+ [a-z]/.test(title) ? title[0]?.toLowerCase() + title.slice(1) : title;
}
