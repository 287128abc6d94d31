// The cart of somebody who is signed in is also on the server, so that it is the same on every device.
// What was last heard from there is kept; what differs from it here has still to be sent, whatever
// happens to this page meanwhile. Comes with the identity SDK, which is larger.
import { type CartLine, cart, MOST_LINES, readLines } from "./cart";
import { stored } from "./stored";
import { type Sync, send, sync } from "./sync";

export type Counts = Record<string, number>;
export type Wanted = { _id: string; qtn: number };

type Mirror = {
  // Whose cart this browser shows; null: its own.
  uid: string | null;
  // What the server last said that is in it.
  heard: Counts;
  // What somebody who signed out had not sent yet, by account.
  left: Record<string, Wanted[]>;
};

const SOON = 400;

export function counts(lines: Wanted[]): Counts {
  return Object.fromEntries(lines.map(({ _id, qtn }) => [_id, qtn]));
}

// What makes `before` into `now`; none of something is 0, and first, so that a full cart has room.
export function difference(before: Counts, now: Counts): Wanted[] {
  const ids = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...ids]
    .map((_id) => ({ _id, qtn: now[_id] ?? 0 }))
    .filter(({ _id, qtn }) => qtn !== (before[_id] ?? 0))
    .sort((one, other) => Number(one.qtn > 0) - Number(other.qtn > 0));
}

// The server's lines with what was changed here since it was asked, in the order that is shown. What
// is shown keeps the price that it was put in for, so that a new one can be told.
export function merged(told: CartLine[], shown: CartLine[], since: Wanted[]): CartLine[] {
  const wanted = counts(since);
  const known = new Map([...told, ...shown].map((line) => [line._id, line]));
  const ids = new Set([...shown, ...told].map(({ _id }) => _id));
  const served = counts(told);
  return [...ids].flatMap((id) => {
    const line = known.get(id);
    const qtn = wanted[id] ?? served[id] ?? 0;
    return line === undefined || qtn < 1 ? [] : { ...line, qtn };
  });
}

const NOBODY: Mirror = { uid: null, heard: {}, left: {} };
const mirror = stored("haat.cart.mirror", readMirror);

export function cartSync(): Sync {
  return sync({
    name: "haat.cart",
    soon: SOON,
    owner: () => mirror.get().uid,
    waiting: () => waiting().length > 0,
    subscribe: cart.subscribe,
    exchange,
    putAway,
  });
}

function waiting(): Wanted[] {
  return difference(mirror.get().heard, counts(cart.lines()));
}

async function exchange(whose: string, current: () => boolean): Promise<"told" | "refused"> {
  const { uid: shownIs, left } = mirror.get();
  if (left[whose] !== undefined) await sendLeft(whose, left[whose]);
  const sent = cart.lines();
  const pending = waiting();
  // What does not fit into one question waits for the next.
  const rest = pending.splice(MOST_LINES);
  const answer =
    shownIs !== whose
      ? await send("POST", "/api/cart/join", quantities(sent))
      : pending.length > 0
        ? await send("PATCH", "/api/cart", quantities(pending))
        : await send("GET", "/api/cart");
  if (!answer.ok) return "refused";
  const told = readLines(((await answer.json()) as { lines?: unknown }).lines);
  if (!current()) return "told";
  const since = [...rest, ...difference(counts(sent), counts(cart.lines()))];
  mirror.change((before) => ({ ...before, uid: whose, heard: counts(told) }));
  cart.replace((shown) => merged(told, shown, since));
  return "told";
}

// From before the last sign-out.
async function sendLeft(whose: string, lines: Wanted[]): Promise<void> {
  await send("PATCH", "/api/cart", quantities(lines));
  mirror.change((before) => {
    const { [whose]: sent, ...others } = before.left;
    return { ...before, left: others };
  });
}

// The cart is its owner's, and on the server; what had no time to get there waits for them.
function putAway(): void {
  const unsent = waiting();
  mirror.change(({ uid: owner, left }) => ({
    ...NOBODY,
    left:
      owner !== null && unsent.length > 0
        ? { ...left, [owner]: [...(left[owner] ?? []), ...unsent] }
        : left,
  }));
  cart.replace(() => []);
}

function quantities(lines: Wanted[]): { lines: Wanted[] } {
  return { lines: lines.map(({ _id, qtn }) => ({ _id, qtn })) };
}

function readMirror(found: unknown): Mirror {
  if (typeof found !== "object" || found === null) return NOBODY;
  const { uid, heard, left } = found as Partial<Mirror>;
  return {
    uid: typeof uid === "string" ? uid : null,
    heard: typeof heard === "object" && heard !== null ? heard : {},
    left: typeof left === "object" && left !== null ? left : {},
  };
}
