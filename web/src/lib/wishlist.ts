// What is wished for in this browser: ids alone, the newest first. What they are is asked when it is
// looked at. A guest's is here only; lib/wishlist-sync.ts keeps a customer's on the server too.
import { readIds, stored, usePart, useStored } from "./stored";
import { toast } from "./toast";

export const MOST_WISHES = 100;

const store = stored("haat.wishlist", (found) => readIds(found, MOST_WISHES));

// One more than fit is not put in: it would push out the oldest, unseen.
export function toggled(ids: string[], id: string): string[] {
  if (ids.includes(id)) return ids.filter((other) => other !== id);
  return ids.length < MOST_WISHES ? [id, ...ids] : ids;
}

export function useWishlist(): string[] | null {
  return useStored(store);
}

export function useWishes(): number {
  return usePart(store, (ids) => ids?.length ?? 0);
}

export function useWished(id: string): boolean {
  return usePart(store, (ids) => ids?.includes(id) ?? false);
}

export const wishlist = {
  ids: store.get,
  subscribe: store.subscribe,
  toggle(id: string): void {
    const before = store.get();
    store.change((ids) => toggled(ids, id));
    if (store.get().length === before.length) {
      toast.error(`${MOST_WISHES} products are the most that a wishlist holds.`);
    }
  },
  remove: (id: string) => store.change((ids) => ids.filter((other) => other !== id)),
  replace: (next: (ids: string[]) => string[]) => store.change(next),
};
