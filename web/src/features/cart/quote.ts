// The quote: current prices and totals of the cart, by the server. Requested when the cart changes,
// and shared by all components.
import { useEffect } from "react";
import { fetchJson } from "../../lib/api";
import type { Quote } from "../../lib/api.gen";
import { cents } from "../../lib/money";
import { createStore, useStore } from "../../lib/store";
import { type CartLine, cart, useCart } from "./cart";

// How a line differs from when it was added.
export type Note =
  | { kind: "gone" }
  | { kind: "less"; left: number }
  | { kind: "price"; was: number };
export type Notes = Record<string, Note[]>;

export type QuoteState = {
  // The last quote received.
  quote: Quote | null;
  busy: boolean;
  failed: boolean;
  notes: Notes;
};

type State = QuoteState & { requested: string | null };

const INITIAL: State = { requested: null, quote: null, busy: false, failed: false, notes: {} };
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
// The longest delay of setTimeout; a later change is covered by a request in between.
const LONGEST_TIMER = 2 ** 31 - 1;

const store = createStore(INITIAL);
let request: AbortController | null = null;
let untilChange: ReturnType<typeof setTimeout> | undefined;

export function useQuote(): QuoteState & { retry: () => void } {
  const lines = useCart();
  const quoted = useStore(store);
  useEffect(() => {
    if (lines !== null && requestBody(lines) !== store.get().requested) void requestQuote(lines);
  }, [lines]);
  return { ...quoted, retry };
}

// Prices may have changed since the last request.
export function invalidateQuote(): void {
  setState({ requested: null });
}

// Applies a quote that came with a refused order. It lacks the lines that were left out of the
// order, so the next one is requested.
export function applyQuote(quote: Quote): void {
  const lines = cart.lines();
  setState({ requested: null, quote, notes: mergeNotes(store.get().notes, lines, quote) });
  cart.replace((now) => linesWithQuote(now, quote));
}

function retry(): void {
  void requestQuote(cart.lines());
}

function requestBody(lines: CartLine[]): string {
  return JSON.stringify({ lines: lines.map(({ _id, qtn }) => ({ _id, qtn })) });
}

async function requestQuote(lines: CartLine[]): Promise<void> {
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  const requested = requestBody(lines);
  if (lines.length === 0) return setState({ ...INITIAL, requested, quote: EMPTY });
  setState({ requested, busy: true, failed: false });
  try {
    const quote = await fetchJson<Quote>("/api/quote", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: requested,
      signal,
    });
    if (signal.aborted) return;
    const notes = mergeNotes(store.get().notes, lines, quote);
    setState({ requested, quote, busy: false, failed: false, notes });
    cart.replace((now) => linesWithQuote(now, quote));
  } catch {
    if (!signal.aborted) setState({ busy: false, failed: true });
  }
}

// The lines with current names, options, prices and quantities. Lines that are gone stay, so that a note can
// be shown.
export function linesWithQuote(lines: CartLine[], quote: Quote): CartLine[] {
  return lines.map((line) => {
    const now = quote.lines.find((quoted) => quoted._id === line._id);
    if (now === undefined || now.change === "gone") return line;
    const { product, name, img, options, buyPrice, stock } = now;
    const qtn = Math.min(line.qtn, stock);
    return { ...line, product, name, img: [img], options, buyPrice, qtn };
  });
}

// Notes stay while their line is there; a newer note of the same kind replaces an older one.
export function mergeNotes(before: Notes, lines: CartLine[], quote: Quote): Notes {
  const notes: Notes = {};
  for (const line of lines) {
    const now = quote.lines.find((quoted) => quoted._id === line._id);
    if (now === undefined) continue;
    const newNotes: Note[] = [];
    if (now.change === "gone") newNotes.push({ kind: "gone" });
    if (now.change === "less") newNotes.push({ kind: "less", left: now.stock });
    if (now.change !== "gone" && cents(now.buyPrice) !== cents(line.buyPrice)) {
      newNotes.push({ kind: "price", was: line.buyPrice });
    }
    const old = (before[line._id] ?? []).filter(
      (note) => note.kind !== "gone" && !newNotes.some((other) => other.kind === note.kind),
    );
    const all = now.change === "gone" ? newNotes : [...old, ...newNotes];
    if (all.length > 0) notes[line._id] = all;
  }
  return notes;
}

// A sale that starts or ends while the cart is open changes its prices.
function waitForChange({ now, changesAt }: Quote): void {
  clearTimeout(untilChange);
  if (changesAt === null) return;
  const left = Math.max(0, Date.parse(changesAt) - Date.parse(now));
  untilChange = setTimeout(refetch, Math.min(left, LONGEST_TIMER));
}

// Without listeners, the next one requests it.
function refetch(): void {
  if (store.isWatched()) retry();
  else invalidateQuote();
}

function setState(next: Partial<State>): void {
  if (next.quote && next.quote !== store.get().quote) waitForChange(next.quote);
  store.set({ ...store.get(), ...next });
}
