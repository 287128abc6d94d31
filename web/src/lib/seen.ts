// The products that were looked at in this browser, the last first. Nobody else is told.
import { readIds, stored, useStored } from "./stored";

const MOST_SEEN = 12;

const store = stored("haat.seen", (found) => readIds(found, MOST_SEEN));

export function withSeen(ids: string[], id: string): string[] {
  return [id, ...ids.filter((other) => other !== id)].slice(0, MOST_SEEN);
}

export function useSeen(): string[] | null {
  return useStored(store);
}

export function noteSeen(id: string): void {
  store.change((ids) => withSeen(ids, id));
}
