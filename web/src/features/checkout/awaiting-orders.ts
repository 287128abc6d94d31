// Orders that were placed in this browser and wait for their payment, in localStorage: what they hold leaves the cart
// once they are paid.
import type { OrderStatus } from "../../lib/api.gen";
import { isId, persistedStore, useSelected } from "../../lib/store";
import { tokenClaims } from "../auth/token-claims";
import { readAuthItem } from "../auth/token-storage";
import { cart, withoutBought } from "../cart/cart";
import { discountCodes } from "../cart/discount-codes";
import { clearAttemptOf } from "./internal/order-attempt";

export type AwaitingOrder = {
  number: string;
  // The customer; empty for a guest.
  uid: string;
  // The path of its payment page, with its key.
  payUrl: string;
  lines: { _id: string; qtn: number }[];
  // When it was placed, by the browser's clock.
  at: number;
};

const MAX_ORDERS = 5;
// A bank may take some days.
const MAX_AGE = 14 * 24 * 3600_000;

// The newest is last. What is malformed or old is dropped.
export function readAwaiting(found: unknown, now = Date.now()): AwaitingOrder[] {
  const orders = Array.isArray(found) ? found.filter(isAwaitingOrder) : [];
  return orders.filter(({ at }) => Math.abs(now - at) < MAX_AGE).slice(-MAX_ORDERS);
}

function isAwaitingOrder(found: unknown): found is AwaitingOrder {
  if (typeof found !== "object" || found === null) return false;
  const { number, uid, payUrl, lines, at } = found as Partial<AwaitingOrder>;
  const texts = typeof number === "string" && typeof uid === "string";
  // Never an address of another site.
  const isPath = typeof payUrl === "string" && /^\/(?!\/)/.test(payUrl);
  return texts && isPath && typeof at === "number" && Array.isArray(lines) && lines.every(isLine);
}

function isLine(found: unknown): boolean {
  const { _id, qtn } = (found ?? {}) as Partial<AwaitingOrder["lines"][number]>;
  return isId(_id) && Number.isInteger(qtn);
}

const store = persistedStore("haat.awaiting", readAwaiting);

// The newest of a customer, who may have placed it before signing in; null where there is none, and in server markup.
export function useAwaitingOrder(uid: string): AwaitingOrder | null {
  return useSelected(
    store,
    (orders) => orders?.findLast((order) => order.uid === uid || order.uid === "") ?? null,
  );
}

export function findAwaiting(number: string): AwaitingOrder | null {
  return store.get().find((order) => order.number === number) ?? null;
}

export function saveAwaiting(order: AwaitingOrder): void {
  store.update((orders) => readAwaiting([...without(orders, order.number), order]));
}

// Forgets an order that does not wait any more. Where it stands, its lines and the codes leave the cart. Returns
// whether it stands and was still remembered, which is so once.
export function settleAwaiting(number: string, status: OrderStatus): boolean {
  const order = findAwaiting(number);
  if (order === null || status === "awaiting_payment") return false;
  store.update((orders) => without(orders, number));
  clearAttemptOf(number);
  const { sub = null } = tokenClaims(readAuthItem("accessToken") ?? "");
  // The cart may be another customer's by now.
  const isOwn = order.uid === "" || order.uid === sub;
  if (!isOwn || status === "cancelled") return false;
  cart.replace((lines) => withoutBought(lines, order.lines));
  discountCodes.clear();
  return true;
}

function without(orders: AwaitingOrder[], number: string): AwaitingOrder[] {
  return orders.filter((order) => order.number !== number);
}
