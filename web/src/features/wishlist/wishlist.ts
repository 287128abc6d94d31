// The wishlist in localStorage: ids of variants, newest first; a product's id is that of its default
// variant. A guest's is only here; wishlist-sync.ts syncs a customer's with the server.
import * as m from "messages/wishlist";
import { persistedStore, readIds, useSelected, useStore } from "../../lib/store";
import { toast } from "../../lib/toast";

export const MAX_WISHLIST = 100;

const store = persistedStore("haat.wishlist", (found) => readIds(found, MAX_WISHLIST));

// A full list takes no more, rather than dropping the oldest unnoticed.
export function toggleId(ids: string[], id: string): string[] {
  if (ids.includes(id)) return ids.filter((other) => other !== id);
  return ids.length < MAX_WISHLIST ? [id, ...ids] : ids;
}

export function useWishlist(): string[] | null {
  return useStore(store);
}

export function useWishlistCount(): number {
  return useSelected(store, (ids) => ids?.length ?? 0);
}

export function useInWishlist(id: string): boolean {
  return useSelected(store, (ids) => ids?.includes(id) ?? false);
}

export const wishlist = {
  ids: store.get,
  subscribe: store.subscribe,
  toggle(id: string): void {
    const before = store.get();
    store.update((ids) => toggleId(ids, id));
    if (store.get().length === before.length) {
      toast.error(m.full({ most: MAX_WISHLIST }));
    }
  },
  remove: (id: string) => store.update((ids) => ids.filter((other) => other !== id)),
  replace: (next: (ids: string[]) => string[]) => store.update(next),
};
