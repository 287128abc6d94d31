// The quote: current prices and totals of the cart, by the server. Requested when the cart changes,
// and shared by all components.
import { useEffect } from "react";
import { fetchJson } from "../../lib/api";
import type { Currency, Quote } from "../../lib/api.gen";
import { shownCurrency } from "../../lib/currency";
import { useShop } from "../../lib/shop-context";
import { createStore, useStore } from "../../lib/store";
import { type CartLine, cart, useCart } from "./cart";

// How a line differs from when it was added.
export type Note =
  | { kind: "gone" }
  | { kind: "less"; left: number }
  | { kind: "price"; was: number; currency: Currency };
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
const EMPTY: Omit<Quote, "currency"> = {
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
  const { currency } = useShop();
  useEffect(() => {
    if (lines !== null && requestKey(lines, currency) !== store.get().requested)
      void requestQuote(lines);
  }, [lines, currency]);
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

function requestKey(lines: CartLine[], currency: Currency): string {
  return currency + requestBody(lines);
}

async function requestQuote(lines: CartLine[]): Promise<void> {
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  const currency = shownCurrency();
  const requested = requestKey(lines, currency);
  if (lines.length === 0) return setState({ ...INITIAL, requested, quote: { ...EMPTY, currency } });
  setState({ requested, busy: true, failed: false });
  try {
    const quote = await fetchJson<Quote>("/api/quote", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: requestBody(lines),
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
// be shown. Pages show these: the stored lines may have been quoted for another tab, in its currency.
export function linesWithQuote(lines: CartLine[], quote: Quote | null): CartLine[] {
  if (quote === null) return lines;
  const { currency } = quote;
  return lines.map((line) => {
    const now = quote.lines.find((quoted) => quoted._id === line._id);
    if (now === undefined || now.change === "gone") return line;
    const { product, name, img, options, buyPrice, stock } = now;
    const qtn = Math.min(line.qtn, stock);
    return { ...line, product, name, img: [img], options, buyPrice, currency, qtn };
  });
}

// Notes stay while their line is there; a newer note of the same kind replaces an older one. Prices in
// different currencies are not compared.
export function mergeNotes(before: Notes, lines: CartLine[], quote: Quote): Notes {
  const notes: Notes = {};
  const { currency } = quote;
  for (const line of lines) {
    const now = quote.lines.find((quoted) => quoted._id === line._id);
    if (now === undefined) continue;
    const newNotes: Note[] = [];
    if (now.change === "gone") newNotes.push({ kind: "gone" });
    if (now.change === "less") newNotes.push({ kind: "less", left: now.stock });
    const comparable = now.change !== "gone" && line.currency === currency;
    if (comparable && now.buyPrice !== line.buyPrice) {
      newNotes.push({ kind: "price", was: line.buyPrice, currency });
    }
    const old = (before[line._id] ?? []).filter(
      (note) =>
        note.kind !== "gone" &&
        !(note.kind === "price" && note.currency !== currency) &&
        !newNotes.some((other) => other.kind === note.kind),
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
