// Recent searches in localStorage, newest first. Never sent to the server.
import { persistedStore, useStore } from "../../lib/store";

const MOST_KEPT = 8;
const LONGEST = 100;

const store = persistedStore("haat.searches", readSearches);

export function readSearches(found: unknown): string[] {
  if (!Array.isArray(found)) return [];
  return found.filter(isSearch).reduceRight(withSearch, []);
}

// Case does not matter.
export function withSearch(searches: string[], q: string): string[] {
  return [q, ...withoutSearch(searches, q)].slice(0, MOST_KEPT);
}

export function withoutSearch(searches: string[], q: string): string[] {
  return searches.filter((other) => other.toLowerCase() !== q.toLowerCase());
}

function isSearch(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= LONGEST;
}

export function useSearches(): string[] {
  return useStore(store) ?? [];
}

export function addSearch(q: string): void {
  if (isSearch(q)) store.update((searches) => withSearch(searches, q));
}

export function removeSearch(q: string): void {
  store.update((searches) => withoutSearch(searches, q));
}

export function clearSearches(): void {
  store.update(() => []);
}
