// An order on its way to the shop, with the key that makes it one order however often it is sent. It is
// kept in the tab until there is an answer: after a reload the same is asked again, under the same key.
import type { CartLine, NewOrder } from "../api.gen";
import { keepInTab, keptInTab } from "../session";

export type Attempt = {
  // Whose order it is.
  uid: string;
  key: string;
  order: NewOrder;
  // When it was first sent, by this browser's clock.
  at: number;
};

const KEPT = "haat.attempt";
// After this long nobody waits for the answer any more; a letter has told them by then.
const LIVES = 10 * 60_000;

// The one under way where the same is asked again, else a new one.
export function attemptFor(uid: string, order: NewOrder): Attempt {
  const before = pendingAttempt(uid);
  if (before !== null && isSame(before.order, order)) return before;
  const attempt = { uid, key: crypto.randomUUID(), order, at: Date.now() };
  keepInTab(KEPT, attempt);
  return attempt;
}

// One that was sent and has not been answered.
export function pendingAttempt(uid: string): Attempt | null {
  const found = keptInTab(KEPT);
  if (!isAttempt(found) || found.uid !== uid) return null;
  return Math.abs(Date.now() - found.at) < LIVES ? found : null;
}

// Whether it is what is in the cart now.
export function isFor({ order }: Attempt, lines: CartLine[]): boolean {
  const said = (wanted: CartLine[]) => wanted.map(({ _id, qtn }) => `${qtn} ${_id}`).sort();
  return said(order.lines).join() === said(lines).join();
}

export function endAttempt(): void {
  keepInTab(KEPT, null);
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
