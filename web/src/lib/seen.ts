// The products that were looked at in this browser, the last first. Nobody else is told.
import { readIds, stored } from "./stored";

const MOST_SEEN = 12;

const store = stored("haat.seen", (found) => readIds(found, MOST_SEEN));

export function withSeen(ids: string[], id: string): string[] {
  return [id, ...ids.filter((other) => other !== id)].slice(0, MOST_SEEN);
}

// What was seen before it.
export function noteSeen(id: string): string[] {
  store.change((ids) => withSeen(ids, id));
  return store.get().slice(1);
}
