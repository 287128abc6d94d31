// The quote: current prices, discounts and totals of the cart, by the server. Requested when the cart,
// the discount codes, the delivery, the payment or the customer changes, and shared by all components.
import { useEffect } from "react";
import { fetchJson, readError } from "../../lib/api";
import type { Cart, CountryName, Currency, PaymentProvider, Quote } from "../../lib/api.gen";
import { shownCurrency } from "../../lib/currency";
import { useShop } from "../../lib/shop-context";
import { createStore, useStore } from "../../lib/store";
import { authFetch, jsonBody } from "../auth/api-auth";
import type { Sync } from "../auth/server-sync";
import { tokenClaims } from "../auth/token-claims";
import { readAuthItem } from "../auth/token-storage";
import { type CartLine, cart, useCart } from "./cart";
import {
  type DeliveryChoice,
  deliveryChoice,
  fitChoice,
  useDeliveryChoice,
} from "./delivery-choice";
import { discountCodes, useDiscountCodes } from "./discount-codes";
import { quotedPayment } from "./quoted-payment";

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
  // Codes that the shop does not know: they are not sent again, and shown until they are dismissed.
  unknownCodes: string[];
};

export type Quoted = QuoteState & {
  // The shopper's codes, also those not judged yet.
  codes: string[];
  retry: () => void;
};

// What a quote depends on.
type Request = {
  lines: CartLine[];
  codes: string[];
  delivery: DeliveryChoice;
  payment: PaymentProvider;
  currency: Currency;
  // Limits of promotions are per customer. Null: a guest.
  customer: string | null;
};

type State = QuoteState & { requested: string | null };

const INITIAL: State = {
  requested: null,
  quote: null,
  busy: false,
  failed: false,
  notes: {},
  unknownCodes: [],
};
const EMPTY: Omit<Quote, "currency"> = {
  lines: [],
  subTotal: 0,
  adjustments: [],
  discount: 0,
  shipping: 0,
  paymentFee: 0,
  totalWithoutFee: 0,
  vat: 0,
  taxes: [],
  cartTotal: 0,
  total: 0,
  codes: [],
  deliveries: [],
  delivery: null,
  undeliverable: false,
  dependsOnDestination: false,
  now: "",
  changesAt: null,
};
export const UNKNOWN_CODE = "unknown_code";
// The longest delay of setTimeout; a later change is covered by a request in between.
const LONGEST_TIMER = 2 ** 31 - 1;

const store = createStore(INITIAL);
// Until the identity SDK has loaded, the one whose token is stored.
const customer = createStore(tokenClaims(readAuthItem("accessToken") ?? "").sub ?? null);
let request: AbortController | null = null;
// Of the page that is shown.
let countries: CountryName[] = [];
let untilChange: ReturnType<typeof setTimeout> | undefined;

// Started with the access token, and stopped at sign-out.
export const quoteSync: Sync = {
  start: customer.set,
  stop: () => customer.set(null),
};

export function useQuote(): Quoted {
  const lines = useCart();
  const codes = useDiscountCodes();
  const delivery = useDeliveryChoice();
  const quoted = useStore(store);
  const owner = useStore(customer);
  const payment = useStore(quotedPayment);
  const { currency, countries: offered } = useShop();
  useEffect(() => {
    if (lines === null || codes === null || delivery === null) return;
    countries = offered;
    const fitting = fitChoice(delivery, offered);
    const wanted = { lines, codes, delivery: fitting, payment, currency, customer: owner };
    if (requestKey(wanted) !== store.get().requested) void requestQuote(wanted);
  }, [lines, codes, delivery, payment, currency, offered, owner]);
  return { ...quoted, codes: codes ?? [], retry };
}

export function applyCode(code: string): void {
  dismissUnknown(code);
  discountCodes.add(code);
}

export function removeCode(code: string): void {
  dismissUnknown(code);
  discountCodes.remove(code);
}

function dismissUnknown(code: string): void {
  const unknownCodes = store.get().unknownCodes.filter((other) => other !== code);
  setState({ unknownCodes });
}

// Prices may have changed since the last request.
export function invalidateQuote(): void {
  setState({ requested: null });
}

// Applies a quote that came with a refused order. It lacks the lines that were left out of the
// order, so the next one is requested.
export function applyQuote(quote: Quote): void {
  acceptQuote(quote, { lines: cart.lines(), requested: null });
}

type Accepted = Partial<State> & { lines: CartLine[] };

// Shows it, and updates what is stored by it.
function acceptQuote(quote: Quote, { lines, ...state }: Accepted): void {
  const before = store.get();
  const unknown = unknownCodesIn(quote);
  setState({
    ...state,
    quote,
    notes: mergeNotes(before.notes, lines, quote),
    unknownCodes: [...new Set([...before.unknownCodes, ...unknown])],
  });
  cart.replace((now) => linesWithQuote(now, quote));
  if (unknown.length > 0) discountCodes.remove(...unknown);
}

function unknownCodesIn({ codes }: Quote): string[] {
  return codes.filter(({ reason }) => reason?.code === UNKNOWN_CODE).map(({ code }) => code);
}

function retry(): void {
  void requestQuote(currentRequest());
}

function currentRequest(): Request {
  return {
    lines: cart.lines(),
    codes: discountCodes.all(),
    delivery: fitChoice(deliveryChoice.get(), countries),
    payment: quotedPayment.get(),
    currency: shownCurrency(),
    customer: customer.get(),
  };
}

function requestBody({ lines, codes, delivery, payment }: Request): Cart {
  const { destination, method } = delivery;
  return {
    lines: lines.map(({ _id, qtn }) => ({ _id, qtn })),
    ...(codes.length > 0 && { codes }),
    ...(destination !== null && { destination }),
    ...(method !== null && { delivery: method }),
    ...(payment !== quotedPayment.initial && { payment }),
  };
}

export function requestKey(request: Request): string {
  return JSON.stringify([request.customer, request.currency, requestBody(request)]);
}

async function requestQuote(wanted: Request): Promise<void> {
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  const { lines, currency } = wanted;
  const requested = requestKey(wanted);
  if (lines.length === 0) {
    const quote = { ...EMPTY, currency };
    return setState({ requested, quote, busy: false, failed: false, notes: {} });
  }
  setState({ requested, busy: true, failed: false });
  try {
    const quote = await fetchQuote(wanted, signal);
    if (signal.aborted) return;
    const unknown = unknownCodesIn(quote);
    const codes = wanted.codes.filter((code) => !unknown.includes(code));
    // Without the unknown codes the answer would be the same.
    const answered = requestKey({ ...wanted, codes });
    acceptQuote(quote, { lines, requested: answered, busy: false, failed: false });
  } catch {
    if (!signal.aborted) setState({ busy: false, failed: true });
  }
}

async function fetchQuote(wanted: Request, signal: AbortSignal): Promise<Quote> {
  const init = { ...jsonBody(requestBody(wanted)), signal };
  if (wanted.customer === null) return fetchJson<Quote>("/api/quote", init);
  const answer = await authFetch("/api/quote", init);
  if (answer.ok) return (await answer.json()) as Quote;
  // The session has ended: then it is a guest's.
  if (answer.status === 401) return fetchJson<Quote>("/api/quote", init);
  throw await readError(answer);
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
