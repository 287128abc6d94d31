// A guest's wishlist: ids alone, the newest first. What they are is asked when it is looked at.
import { readIds, stored, useStored } from "./stored";

export const MOST_WISHES = 100;

const store = stored("haat.wishlist", (found) => readIds(found, MOST_WISHES));

export function toggled(ids: string[], id: string): string[] {
  if (ids.includes(id)) return ids.filter((other) => other !== id);
  return [id, ...ids].slice(0, MOST_WISHES);
}

export function useWishlist(): string[] | null {
  return useStored(store);
}

export function toggleWish(id: string): void {
  store.change((ids) => toggled(ids, id));
}
