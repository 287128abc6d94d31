// An attempt to place an order, with its idempotency key. Kept in sessionStorage until there is an
// answer: after a reload the same order is sent with the same key.
import type { NewOrder } from "../../../lib/api.gen";
import { readSession, writeSession } from "../../../lib/session-storage";

export type Attempt = {
  // The customer.
  uid: string;
  key: string;
  order: NewOrder;
  // When it was first sent, by the browser's clock.
  at: number;
};

const KEY = "haat.attempt";
// After this long the attempt is dropped; the confirmation e-mail has arrived by then.
const MAX_AGE = 10 * 60_000;

// The pending attempt if the order is the same, else a new one.
export function startAttempt(uid: string, order: NewOrder): Attempt {
  const before = pendingAttempt(uid);
  if (before !== null && isSame(before.order, order)) return before;
  const attempt = { uid, key: crypto.randomUUID(), order, at: Date.now() };
  writeSession(KEY, attempt);
  return attempt;
}

// An attempt without an answer.
export function pendingAttempt(uid: string): Attempt | null {
  const found = readSession(KEY);
  if (!isAttempt(found) || found.uid !== uid) return null;
  return Math.abs(Date.now() - found.at) < MAX_AGE ? found : null;
}

// Whether it has the same lines as the cart.
export function matchesCart({ order }: Attempt, lines: NewOrder["lines"]): boolean {
  const keys = (of: NewOrder["lines"]) => of.map(({ _id, qtn }) => `${qtn} ${_id}`).sort();
  return keys(order.lines).join() === keys(lines).join();
}

export function clearAttempt(): void {
  writeSession(KEY, null);
}

function isSame(one: NewOrder, other: NewOrder): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isAttempt(found: unknown): found is Attempt {
  if (typeof found !== "object" || found === null) return false;
  const { uid, key, order, at } = found as Record<string, unknown>;
  const texts = typeof uid === "string" && typeof key === "string";
  return texts && typeof at === "number" && typeof order === "object" && order !== null;
}
