// An attempt to place an order, with its idempotency key. Kept in sessionStorage until there is an
// answer: after a reload the same order is sent with the same key.
import type { NewOrder } from "../../../lib/api.gen";
import { readSession, writeSession } from "../../../lib/session-storage";

export type Attempt = {
  // The customer; empty for a guest.
  uid: string;
  key: string;
  order: NewOrder;
  // When it was first sent, by the browser's clock.
  at: number;
  // The number of the order that it has placed, which waits for its payment.
  awaits?: string;
};

const KEY = "haat.attempt";
// After this long the attempt is dropped; the confirmation e-mail has arrived by then.
const MAX_AGE = 10 * 60_000;

// With the key of the pending attempt if the order is the same, else with a new one.
export function startAttempt(uid: string, order: NewOrder): Attempt {
  const before = pendingAttempt(uid);
  const isRepeated = before?.uid === uid && isSame(before.order, order);
  const attempt = isRepeated
    ? { ...before, order }
    : { uid, key: crypto.randomUUID(), order, at: Date.now() };
  writeSession(KEY, attempt);
  return attempt;
}

// An attempt without an answer. A guest who has signed in since gets its answer, too.
export function pendingAttempt(uid: string): Attempt | null {
  const found = readSession(KEY);
  if (!isAttempt(found)) return null;
  const isOld = found.awaits === undefined && Math.abs(Date.now() - found.at) >= MAX_AGE;
  if (isOld) clearAttempt();
  else if (found.uid === uid || found.uid === "") return found;
  return null;
}

// Whether it has the same lines as the cart.
export function matchesCart({ order }: Attempt, lines: NewOrder["lines"]): boolean {
  const keys = (of: NewOrder["lines"]) => of.map(({ _id, qtn }) => `${qtn} ${_id}`).sort();
  return keys(order.lines).join() === keys(lines).join();
}

export function clearAttempt(): void {
  writeSession(KEY, null);
}

// It is kept until the order is paid: sent again, it leads to the same order.
export function markAwaiting(attempt: Attempt, awaits: string): void {
  writeSession(KEY, { ...attempt, awaits });
}

export function clearAttemptOf(number: string): void {
  const found = readSession(KEY);
  if (isAttempt(found) && found.awaits === number) clearAttempt();
}

// Whether it is the same order, paid in another way.
export function isPaidOtherwise({ order }: Attempt, other: NewOrder): boolean {
  const { payment = "cash_on_delivery" } = other;
  return order.payment !== payment && isSame({ ...order, payment }, other);
}

// Whatever code confirms it.
function isSame(one: NewOrder, other: NewOrder): boolean {
  const content = ({ phoneCode, ...order }: NewOrder) => JSON.stringify(order);
  return content(one) === content(other);
}

function isAttempt(found: unknown): found is Attempt {
  if (typeof found !== "object" || found === null) return false;
  const { uid, key, order, at, awaits = "" } = found as Record<string, unknown>;
  const texts = [uid, key, awaits].every((text) => typeof text === "string");
  return texts && typeof at === "number" && typeof order === "object" && order !== null;
}
