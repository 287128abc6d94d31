// What the cart costs now, by the server's word. Asked whenever what is in the cart changes, and
// shared by everything that shows it.
import { useEffect, useSyncExternalStore } from "react";
import type { Quote } from "./api.gen";
import { ask } from "./ask";
import { type CartLine, cart, useCart } from "./cart";
import { cents } from "./money";

// How a line is another one than when it was put into the cart.
export type Note =
  | { kind: "gone" }
  | { kind: "less"; left: number }
  | { kind: "price"; was: number };
export type Notes = Record<string, Note[]>;

export type Quoted = {
  // The last one that came, for the cart as it was then.
  quote: Quote | null;
  busy: boolean;
  failed: boolean;
  notes: Notes;
};

type State = Quoted & { asked: string | null };

const NOTHING: State = { asked: null, quote: null, busy: false, failed: false, notes: {} };
const EMPTY: Quote = {
  lines: [],
  subTotal: 0,
  shipping: 0,
  vat: 0,
  cartTotal: 0,
  total: 0,
  now: "",
  changesAt: null,
};
// What timers take; whoever waits longer is asked again in between.
const LONGEST_TIMER = 2 ** 31 - 1;

let state = NOTHING;
let asking: AbortController | null = null;
let untilChange: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

export function useQuote(): Quoted & { retry: () => void } {
  const lines = useCart();
  const quoted = useSyncExternalStore(
    subscribe,
    () => state,
    () => NOTHING,
  );
  useEffect(() => {
    if (lines !== null && question(lines) !== state.asked) void askFor(lines);
  }, [lines]);
  return { ...quoted, retry };
}

// Prices may have changed since they were last looked at.
export function forgetQuote(): void {
  show({ ...state, asked: null });
}

// One that came with the refusal of an order. What was left out of the order is asked for again.
export function takeQuote(quote: Quote): void {
  const lines = cart.lines();
  show({ ...state, asked: null, quote, notes: withNews(state.notes, lines, quote) });
  cart.replace((now) => settled(now, quote));
}

function retry(): void {
  void askFor(cart.lines());
}

function question(lines: CartLine[]): string {
  return JSON.stringify({ lines: lines.map(({ _id, qtn }) => ({ _id, qtn })) });
}

async function askFor(lines: CartLine[]): Promise<void> {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const asked = question(lines);
  if (lines.length === 0) return show({ ...NOTHING, asked, quote: EMPTY });
  show({ ...state, asked, busy: true, failed: false });
  try {
    const quote = await ask<Quote>("/api/quote", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: asked,
      signal,
    });
    if (signal.aborted) return;
    const notes = withNews(state.notes, lines, quote);
    show({ asked, quote, busy: false, failed: false, notes });
    cart.replace((now) => settled(now, quote));
  } catch {
    if (!signal.aborted) show({ ...state, busy: false, failed: true });
  }
}

// The cart with today's names, prices and quantities. What is gone stays, so that it can be said.
export function settled(lines: CartLine[], quote: Quote): CartLine[] {
  return lines.map((line) => {
    const now = quote.lines.find((quoted) => quoted._id === line._id);
    if (now === undefined || now.change === "gone") return line;
    const { name, img, buyPrice, stock } = now;
    return { ...line, name, img: [img], buyPrice, qtn: Math.min(line.qtn, stock) };
  });
}

// What was said of a line stays said while the line is there, but a newer word on the same replaces it.
export function withNews(before: Notes, lines: CartLine[], quote: Quote): Notes {
  const notes: Notes = {};
  for (const line of lines) {
    const now = quote.lines.find((quoted) => quoted._id === line._id);
    if (now === undefined) continue;
    const news: Note[] = [];
    if (now.change === "gone") news.push({ kind: "gone" });
    if (now.change === "less") news.push({ kind: "less", left: now.stock });
    if (now.change !== "gone" && cents(now.buyPrice) !== cents(line.buyPrice)) {
      news.push({ kind: "price", was: line.buyPrice });
    }
    const old = (before[line._id] ?? []).filter(
      (note) => note.kind !== "gone" && !news.some((other) => other.kind === note.kind),
    );
    const all = now.change === "gone" ? news : [...old, ...news];
    if (all.length > 0) notes[line._id] = all;
  }
  return notes;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// A sale that starts or ends while the cart is open changes what it costs.
function waitForChange({ now, changesAt }: Quote): void {
  clearTimeout(untilChange);
  if (changesAt === null) return;
  const left = Math.max(0, Date.parse(changesAt) - Date.parse(now));
  untilChange = setTimeout(askAgain, Math.min(left, LONGEST_TIMER));
}

// Where nobody looks, whoever looks next asks.
function askAgain(): void {
  if (listeners.size > 0) retry();
  else state = { ...state, asked: null };
}

function show(next: State): void {
  if (next.quote !== null && next.quote !== state.quote) waitForChange(next.quote);
  state = next;
  for (const listener of listeners) listener();
}
