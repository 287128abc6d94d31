// Wishlist sync: a signed-in customer's wishlist is also on the server. Changes show at once; what
// the server refuses is reverted with a message.

import * as m from "messages/wishlist";
import { readError } from "../../lib/api";
import { persistedStore, readIds } from "../../lib/store";
import { toast } from "../../lib/toast";
import { createSync, type Sync, send } from "../auth/server-sync";
import { MAX_WISHLIST, wishlist } from "./wishlist";

type WishlistSyncState = {
  // The customer customer list this browser shows; null: a guest's.
  uid: string | null;
  // The server's last answer.
  heard: string[];
};

type WishlistChange = { id: string; added: boolean };

const NOBODY: WishlistSyncState = { uid: null, heard: [] };
const syncState = persistedStore("haat.wishlist.mirror", readSyncState);

// What turns `before` into `now`, oldest first. Removals come first, so that a full list has room.
export function diff(before: string[], now: string[]): WishlistChange[] {
  const gone = before.filter((id) => !now.includes(id));
  const come = now.filter((id) => !before.includes(id)).reverse();
  return [...gone.map((id) => ({ id, added: false })), ...come.map((id) => ({ id, added: true }))];
}

export function applyChanges(ids: string[], since: WishlistChange[]): string[] {
  return since.reduce((list, { id, added }) => {
    const others = list.filter((other) => other !== id);
    return added ? [id, ...others].slice(0, MAX_WISHLIST) : others;
  }, ids);
}

export function wishlistSync(): Sync {
  return createSync({
    name: "haat.wishlist",
    debounce: 0,
    owner: () => syncState.get().uid,
    hasChanges: () => unsentChanges().length > 0,
    subscribe: wishlist.subscribe,
    exchange,
    reset,
  });
}

function unsentChanges(): WishlistChange[] {
  return diff(syncState.get().heard, wishlist.ids());
}

async function exchange(customer: string, current: () => boolean): Promise<"synced" | "refused"> {
  const before = wishlist.ids();
  const [next] = unsentChanges();
  if (syncState.get().uid !== customer) {
    const answer = await send("POST", "/api/wishlist", { products: before });
    if (!answer.ok) return "refused";
    if (current()) await applyServerList(answer, customer, before);
  } else if (next === undefined) {
    const answer = await send("GET", "/api/wishlist");
    if (!answer.ok) return "refused";
    if (current()) await applyServerList(answer, customer, before);
  } else {
    // One at a time: each can be refused for its own reason.
    const answer = await send(next.added ? "PUT" : "DELETE", `/api/wishlist/${next.id}`).catch(
      () => null,
    );
    if (!current()) return "synced";
    if (answer?.ok) await applyServerList(answer, customer, before);
    else revert(next, answer && (await readError(answer)).message);
  }
  return "synced";
}

// Applies the server's list, then unsent changes and those made since the request.
async function applyServerList(
  answer: Response,
  customer: string,
  before: string[],
): Promise<void> {
  const { products } = (await answer.json()) as { products?: unknown };
  const serverIds = readIds(products, MAX_WISHLIST);
  const { uid, heard } = syncState.get();
  const unsent = uid === customer ? diff(heard, before) : [];
  const since = diff(before, wishlist.ids());
  syncState.update(() => ({ uid: customer, heard: serverIds }));
  wishlist.replace(() => applyChanges(serverIds, [...unsent, ...since]));
}

// Restores its former position.
function revert({ id, added }: WishlistChange, why: string | null): void {
  const { heard } = syncState.get();
  wishlist.replace((ids) =>
    added
      ? ids.filter((other) => other !== id)
      : [
          ...ids.filter((other) => !heard.includes(other)),
          ...heard.filter((other) => other === id || ids.includes(other)),
        ],
  );
  toast.error(why ?? m.unreachable());
}

// Empties the local list, which belongs to its owner.
function reset(): void {
  syncState.update(() => NOBODY);
  wishlist.replace(() => []);
}

function readSyncState(found: unknown): WishlistSyncState {
  if (typeof found !== "object" || found === null) return NOBODY;
  const { uid, heard } = found as Partial<WishlistSyncState>;
  return { uid: typeof uid === "string" ? uid : null, heard: readIds(heard, MAX_WISHLIST) };
}
