// Pages as data: asked for, looked at ahead of a click, and kept for Back.
import type { Page } from "./api.gen";
import { learnTime } from "./clock";
import { isPage } from "./page";

const PREFETCH_LIVES = 5_000;
const RECENT_LIVES = 300_000;
const KEPT = 12;

type Held<T> = { at: number; held: T };

const prefetched = new Map<string, Held<Promise<Page | null>>>();
const recent = new Map<string, Held<Page>>();

// Null: there is an answer, but it is not one of our pages.
async function ask(address: string, signal: AbortSignal | null): Promise<Page | null> {
  const response = await fetch(address, { headers: { accept: "application/json" }, signal });
  const date = response.headers.get("date");
  if (date !== null) learnTime(Date.parse(date));
  if (!response.headers.get("content-type")?.includes("json")) return null;
  const answer: unknown = await response.json();
  return isPage(answer) ? answer : null;
}

export function fetchPage(address: string, signal: AbortSignal): Promise<Page | null> {
  const ahead = fresh(prefetched, address, PREFETCH_LIVES);
  prefetched.delete(address);
  return ahead ?? ask(address, signal);
}

export function prefetchPage(address: string): void {
  if (fresh(prefetched, address, PREFETCH_LIVES)) return;
  const answer = ask(address, null);
  // A failed look ahead is forgotten: the click itself will ask, and tell.
  answer.catch(() => prefetched.delete(address));
  keep(prefetched, address, answer);
}

export function rememberPage(address: string, page: Page): void {
  keep(recent, address, page);
}

export function recentPage(address: string): Page | undefined {
  return fresh(recent, address, RECENT_LIVES);
}

function keep<T>(shelf: Map<string, Held<T>>, address: string, held: T): void {
  shelf.delete(address);
  shelf.set(address, { at: performance.now(), held });
  const oldest = shelf.keys().next().value;
  if (shelf.size > KEPT && oldest !== undefined) shelf.delete(oldest);
}

function fresh<T>(shelf: Map<string, Held<T>>, address: string, lives: number): T | undefined {
  const entry = shelf.get(address);
  return entry && performance.now() - entry.at < lives ? entry.held : undefined;
}
