// Page cache: page data that was prefetched before a click, and recent pages for Back.
import type { Currency, Page } from "./api.gen";
import { chosenCurrency } from "./currency";
import { isPage } from "./page";
import { setServerTime } from "./server-clock";

const PREFETCH_MAX_AGE = 5_000;
const RECENT_MAX_AGE = 300_000;
const MAX_ENTRIES = 12;

type CacheEntry<T> = { at: number; value: T };

const prefetched = new Map<string, CacheEntry<Promise<Page | null>>>();
const recent = new Map<string, CacheEntry<Page>>();

// A page is another one in another currency.
function entryKey(address: string, currency: Currency): string {
  return `${currency} ${address}`;
}

// Null: the response is not one of our pages.
async function requestPage(address: string, signal: AbortSignal | null): Promise<Page | null> {
  const response = await fetch(address, { headers: { accept: "application/json" }, signal });
  const date = response.headers.get("date");
  if (date !== null) setServerTime(Date.parse(date));
  if (!response.headers.get("content-type")?.includes("json")) return null;
  const answer: unknown = await response.json();
  return isPage(answer) ? answer : null;
}

// In the currency that is chosen when it arrives.
export async function fetchPage(address: string, signal: AbortSignal): Promise<Page | null> {
  const currency = chosenCurrency();
  const key = entryKey(address, currency);
  const early = fresh(prefetched, key, PREFETCH_MAX_AGE);
  prefetched.delete(key);
  const page = await (early ?? requestPage(address, signal));
  return chosenCurrency() === currency ? page : fetchPage(address, signal);
}

export function prefetchPage(address: string): void {
  const key = entryKey(address, chosenCurrency());
  if (fresh(prefetched, key, PREFETCH_MAX_AGE)) return;
  const answer = requestPage(address, null);
  // A failed prefetch is dropped: the click requests the page again and reports the error.
  answer.catch(() => prefetched.delete(key));
  store(prefetched, key, answer);
}

// A payment page is soon out of date, and its address holds a key.
export function cachePage(address: string, page: Page): void {
  if (page.page === "pay") return;
  store(recent, entryKey(address, page.shop.currency), page);
}

export function cachedPage(address: string): Page | undefined {
  return fresh(recent, entryKey(address, chosenCurrency()), RECENT_MAX_AGE);
}

function store<T>(cache: Map<string, CacheEntry<T>>, key: string, value: T): void {
  cache.delete(key);
  cache.set(key, { at: performance.now(), value });
  const oldest = cache.keys().next().value;
  if (cache.size > MAX_ENTRIES && oldest !== undefined) cache.delete(oldest);
}

function fresh<T>(cache: Map<string, CacheEntry<T>>, key: string, maxAge: number): T | undefined {
  const entry = cache.get(key);
  return entry && performance.now() - entry.at < maxAge ? entry.value : undefined;
}
