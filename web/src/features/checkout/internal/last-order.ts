// The last order placed in this tab, for the confirmation page.
import { useSyncExternalStore } from "react";
import type {
  Currency,
  Order,
  OrderDelivery,
  OrderGiftCard,
  OrderLine,
  PaymentProvider,
} from "../../../lib/api.gen";
import { writeSession } from "../../../lib/session-storage";
import { type DiscountRow, discountsOf } from "../../cart/discount-rows";

export type LastOrder = {
  number: string;
  // Empty where a guest has none.
  email: string;
  // Without an account.
  guest?: boolean;
  // Both in its currency.
  total: number;
  credit: number;
  currency: Currency;
  // Missing where none paid.
  giftCards?: OrderGiftCard[];
  payment: PaymentProvider;
  lines: LastOrderLine[];
  // Orders that were saved before there were promotions have none.
  discounts?: DiscountRow[];
  // Missing without delivery zones.
  delivery?: OrderDelivery;
  // Missing where there is none.
  paymentFee?: number;
};

// Orders that were saved before there were variants have no options.
export type LastOrderLine = Pick<OrderLine, "_id" | "name" | "picture" | "qtn"> &
  Partial<Pick<OrderLine, "options">>;

const KEY = "haat.placed";
const never = () => () => {};

// Returns false if it is saved already.
export function saveLastOrder(order: Order, payment: PaymentProvider, guest: boolean): boolean {
  const { number, email, total, credit, currency } = order;
  if (parseLastOrder(readText())?.number === number) return false;
  const lines = order.lines.map(({ _id, name, options, picture, qtn }) => {
    return { _id, name, options, picture, qtn };
  });
  const { goods, delivery } = discountsOf(order);
  const discounts = [...goods, ...delivery];
  const { giftCards, paymentFee } = order;
  const placed: LastOrder = {
    ...{ number, email, total, credit, currency, payment, lines, discounts },
    ...(giftCards.length > 0 && { giftCards }),
    ...(paymentFee > 0 && { paymentFee }),
    ...(guest && { guest }),
  };
  writeSession(KEY, order.delivery ? { ...placed, delivery: order.delivery } : placed);
  return true;
}

// Undefined in server markup, null where there is none.
export function useLastOrder(): LastOrder | null | undefined {
  const text = useSyncExternalStore<string | null | undefined>(never, readText, () => undefined);
  return text === undefined ? undefined : parseLastOrder(text);
}

// As text, since useSyncExternalStore compares snapshots by identity.
function readText(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function parseLastOrder(text: string | null): LastOrder | null {
  try {
    const found = JSON.parse(text ?? "null") as Partial<LastOrder> | null;
    const whole =
      typeof found?.number === "string" &&
      typeof found.email === "string" &&
      typeof found.total === "number" &&
      typeof found.credit === "number" &&
      // With a rate its amounts were US dollars, whatever its currency.
      !("rate" in found) &&
      typeof found.payment === "string" &&
      Array.isArray(found.lines) &&
      found.lines.every(isLine) &&
      (found.discounts === undefined || isRows(found.discounts)) &&
      (found.giftCards === undefined || isGiftCards(found.giftCards)) &&
      (found.delivery === undefined || isDelivery(found.delivery)) &&
      (found.paymentFee === undefined || typeof found.paymentFee === "number") &&
      typeof found.currency === "string";
    return whole ? (found as LastOrder) : null;
  } catch {
    return null;
  }
}

function isLine(found: unknown): found is LastOrderLine {
  if (typeof found !== "object" || found === null) return false;
  const { _id, name, options = {}, picture, qtn } = found as Partial<LastOrderLine>;
  const texts = [_id, name, picture].every((text) => typeof text === "string");
  return texts && typeof qtn === "number" && typeof options === "object" && options !== null;
}

function isDelivery(found: unknown): found is OrderDelivery {
  if (typeof found !== "object" || found === null) return false;
  const { name, earliest, latest, pickup } = found as Partial<OrderDelivery>;
  const dates = [earliest, latest].every((date) => date === null || typeof date === "string");
  const isPickup = pickup == null || typeof pickup.address === "string";
  return typeof name === "string" && dates && isPickup;
}

function isGiftCards(found: unknown): found is OrderGiftCard[] {
  const isCard = (one: Partial<OrderGiftCard> | null) =>
    typeof one?.lastFour === "string" && typeof one.amount === "number";
  return Array.isArray(found) && found.every(isCard);
}

function isRows(found: unknown): found is DiscountRow[] {
  return Array.isArray(found) && found.every(isRow);
}

function isRow(found: unknown): found is DiscountRow {
  if (typeof found !== "object" || found === null) return false;
  const { promotion, label, amount } = found as Partial<DiscountRow>;
  return [promotion, label].every((text) => typeof text === "string") && typeof amount === "number";
}
