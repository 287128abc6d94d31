// What was searched for in this browser, the last first. Nobody else is told.
import { stored, useStored } from "../stored";

const MOST_KEPT = 8;
const LONGEST = 100;

const store = stored("haat.searches", readSearches);

export function readSearches(found: unknown): string[] {
  if (!Array.isArray(found)) return [];
  return found.filter(isSearch).reduceRight(withSearch, []);
}

// The same words in other letters are the same search.
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
  return useStored(store) ?? [];
}

export function noteSearch(q: string): void {
  if (isSearch(q)) store.change((searches) => withSearch(searches, q));
}

export function forgetSearch(q: string): void {
  store.change((searches) => withoutSearch(searches, q));
}

export function forgetSearches(): void {
  store.change(() => []);
}
