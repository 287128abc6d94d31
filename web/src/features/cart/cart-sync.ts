// Cart sync: a signed-in customer's cart is also on the server, the same on every device. The
// server's last answer is persisted; what differs from it has still to be sent, also after a
// reload. Loaded with the identity SDK.

import type { VariantQuantity } from "../../lib/api.gen";
import { persistedStore } from "../../lib/store";
import { createSync, type Sync, send } from "../auth/server-sync";
import { type CartLine, cart, MAX_LINES, readLines } from "./cart";
import { deliveryChoice } from "./delivery-choice";
import { discountCodes } from "./discount-codes";

export type QuantityById = Record<string, number>;

type CartSyncState = {
  // The customer whose cart this browser shows; null: a guest's.
  uid: string | null;
  // The server's last answer.
  heard: QuantityById;
  // Unsent changes of customers who signed out, by account.
  left: Record<string, VariantQuantity[]>;
};

const DEBOUNCE = 400;

export function quantitiesById(lines: VariantQuantity[]): QuantityById {
  return Object.fromEntries(lines.map(({ _id, qtn }) => [_id, qtn]));
}

// What turns `before` into `now`. Removals are 0 and come first, so that a full cart has room.
export function difference(before: QuantityById, now: QuantityById): VariantQuantity[] {
  const ids = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...ids]
    .map((_id) => ({ _id, qtn: now[_id] ?? 0 }))
    .filter(({ _id, qtn }) => qtn !== (before[_id] ?? 0))
    .sort((one, other) => Number(one.qtn > 0) - Number(other.qtn > 0));
}

// The server's lines with the changes made since the request, in the displayed order. Displayed
// lines keep the price they were added at, so that a price change can be noticed.
export function mergeLines(
  serverLines: CartLine[],
  shown: CartLine[],
  since: VariantQuantity[],
): CartLine[] {
  const wanted = quantitiesById(since);
  const known = new Map([...serverLines, ...shown].map((line) => [line._id, line]));
  const ids = new Set([...shown, ...serverLines].map(({ _id }) => _id));
  const served = quantitiesById(serverLines);
  return [...ids].flatMap((id) => {
    const line = known.get(id);
    const qtn = wanted[id] ?? served[id] ?? 0;
    return line === undefined || qtn < 1 ? [] : { ...line, qtn };
  });
}

const NOBODY: CartSyncState = { uid: null, heard: {}, left: {} };
const syncState = persistedStore("haat.cart.mirror", readSyncState);

export function cartSync(): Sync {
  return createSync({
    name: "haat.cart",
    debounce: DEBOUNCE,
    owner: () => syncState.get().uid,
    hasChanges: () => unsentChanges().length > 0,
    subscribe: cart.subscribe,
    exchange,
    reset,
  });
}

function unsentChanges(): VariantQuantity[] {
  return difference(syncState.get().heard, quantitiesById(cart.lines()));
}

async function exchange(customer: string, current: () => boolean): Promise<"synced" | "refused"> {
  const { uid: shownIs, left } = syncState.get();
  if (left[customer] !== undefined) await sendUnsent(customer, left[customer]);
  const sent = cart.lines();
  const pending = unsentChanges();
  // What does not fit into one request is sent with the next.
  const rest = pending.splice(MAX_LINES);
  const answer =
    shownIs !== customer
      ? await send("POST", "/api/cart/join", requestBody(sent))
      : pending.length > 0
        ? await send("PATCH", "/api/cart", requestBody(pending))
        : await send("GET", "/api/cart");
  if (!answer.ok) return "refused";
  const { currency, lines } = (await answer.json()) as { currency: string; lines?: unknown };
  const serverLines = readLines(lines).map((line) => ({ ...line, currency }));
  if (!current()) return "synced";
  const since = [...rest, ...difference(quantitiesById(sent), quantitiesById(cart.lines()))];
  syncState.update((before) => ({ ...before, uid: customer, heard: quantitiesById(serverLines) }));
  cart.replace((shown) => mergeLines(serverLines, shown, since));
  return "synced";
}

// Changes from before the last sign-out.
async function sendUnsent(customer: string, lines: VariantQuantity[]): Promise<void> {
  await send("PATCH", "/api/cart", requestBody(lines));
  syncState.update((before) => {
    const { [customer]: sent, ...others } = before.left;
    return { ...before, left: others };
  });
}

// Empties the local cart, which belongs to its owner, as do the codes and the destination. Unsent changes wait for their next sign-in.
function reset(): void {
  const unsent = unsentChanges();
  syncState.update(({ uid: owner, left }) => ({
    ...NOBODY,
    left:
      owner !== null && unsent.length > 0
        ? { ...left, [owner]: [...(left[owner] ?? []), ...unsent] }
        : left,
  }));
  cart.replace(() => []);
  discountCodes.clear();
  deliveryChoice.clear();
}

function requestBody(lines: VariantQuantity[]): { lines: VariantQuantity[] } {
  return { lines: lines.map(({ _id, qtn }) => ({ _id, qtn })) };
}

function readSyncState(found: unknown): CartSyncState {
  if (typeof found !== "object" || found === null) return NOBODY;
  const { uid, heard, left } = found as Partial<CartSyncState>;
  return {
    uid: typeof uid === "string" ? uid : null,
    heard: typeof heard === "object" && heard !== null ? heard : {},
    left: typeof left === "object" && left !== null ? left : {},
  };
}
