// Recently viewed products in localStorage, newest first. Never sent to the server.
import { persistedStore, readIds } from "../../../lib/store";

const MOST_SEEN = 12;

const store = persistedStore("haat.seen", (found) => readIds(found, MOST_SEEN));

export function withViewed(ids: string[], id: string): string[] {
  return [id, ...ids.filter((other) => other !== id)].slice(0, MOST_SEEN);
}

// Returns those viewed before it.
export function recordViewed(id: string): string[] {
  store.update((ids) => withViewed(ids, id));
  return store.get().slice(1);
}
