// The cart in localStorage: lines of variants. Their names and prices are those of the time of adding;
// only the server's quote has current prices.
import type { Currency } from "../../lib/api.gen";
import { shownCurrency } from "../../lib/currency";
import { sum, times } from "../../lib/money";
import { asciiDigits } from "../../lib/numbers";
import { isId, persistedStore, useSelected, useStore } from "../../lib/store";

export const MAX_QUANTITY = 100;
export const MAX_LINES = 100;
const MAX_PRICE = 100_000_000_000;
const MAX_OPTIONS = 3;
// Of lines from before there were several currencies.
const FIRST_CURRENCY = "USD";

export type CartLine = {
  // The variant; a product's id is that of its default variant.
  _id: string;
  product: string;
  name: string;
  img: string[];
  // The chosen value of each option, by its name. None where the server has not told them yet.
  options: Record<string, string>;
  buyPrice: number;
  // The currency of the price: that of the page where it was added or last quoted.
  currency: Currency;
  // The quantity, 1 to 100.
  qtn: number;
};

// What can be added to a cart: a variant, or a product without a choice.
export type CartProduct = Pick<CartLine, "_id" | "name" | "img" | "buyPrice"> &
  Partial<Pick<CartLine, "product" | "options">> & {
    // Units in stock.
    qtn: number;
    // The promised date, where it is sold on when it is out of stock.
    backOrder?: string | null;
  };

// How many can be had: those in stock, or any number where it is sold on without.
export function obtainable({ qtn, backOrder }: Pick<CartProduct, "qtn" | "backOrder">): number {
  return backOrder ? MAX_QUANTITY : qtn;
}

// Raises an existing line by `quantity`, up to 100 and up to what can be had. `currency` is that of
// the item's price.
export function add(
  lines: CartLine[],
  item: CartProduct,
  quantity = 1,
  currency = shownCurrency(),
): CartLine[] {
  const { _id, product = _id, name, img, options = {}, buyPrice } = item;
  const before = lines.find((line) => line._id === _id);
  const qtn = Math.min((before?.qtn ?? 0) + quantity, obtainable(item), MAX_QUANTITY);
  if (before !== undefined) return qtn > before.qtn ? setQuantity(lines, _id, qtn) : lines;
  if (qtn < 1 || lines.length >= MAX_LINES) return lines;
  const line = { _id, product, name, img: img.slice(0, 1), options, buyPrice, currency, qtn };
  return [...lines, line];
}

// Less than 1 removes the line.
export function setQuantity(
  lines: CartLine[],
  id: string,
  wanted: number,
  stock = MAX_QUANTITY,
): CartLine[] {
  const qtn = Math.min(Math.floor(wanted), stock, MAX_QUANTITY);
  if (!(qtn >= 1)) return remove(lines, id);
  return lines.map((line) => (line._id === id ? { ...line, qtn } : line));
}

// From what was typed, in the digits of any script; null where it is no quantity.
export function parseQuantity(text: string): number | null {
  const typed = asciiDigits(text.trim());
  return /^0*[1-9]\d*$/.test(typed) ? Number(typed) : null;
}

export function remove(lines: CartLine[], id: string): CartLine[] {
  return lines.filter((line) => line._id !== id);
}

// What is left after these were bought.
export function withoutBought(
  lines: CartLine[],
  bought: { _id: string; qtn: number }[],
): CartLine[] {
  return bought.reduce((rest, { _id, qtn }) => {
    const line = rest.find((one) => one._id === _id);
    return line === undefined ? rest : setQuantity(rest, _id, line.qtn - qtn);
  }, lines);
}

export function units(lines: CartLine[]): number {
  return lines.reduce((sum, line) => sum + line.qtn, 0);
}

export function lineTotal({ buyPrice, qtn, currency }: CartLine): number {
  return times(buyPrice, qtn, currency);
}

// Null where a line has its price in another currency, until it is quoted again.
export function subTotal(lines: CartLine[], currency: Currency): number | null {
  if (lines.some((line) => line.currency !== currency)) return null;
  return sum(lines.map(lineTotal), currency);
}

// Malformed lines are dropped.
export function readLines(found: unknown): CartLine[] {
  const lines = Array.isArray(found) ? found.map(readLine).filter((line) => line !== null) : [];
  return [...new Map(lines.map((line) => [line._id, line])).values()].slice(0, MAX_LINES);
}

function readLine(found: unknown): CartLine | null {
  if (typeof found !== "object" || found === null) return null;
  const { _id, product, name, img, options, buyPrice, currency, qtn } = found as Record<
    string,
    unknown
  >;
  if (!isId(_id) || typeof name !== "string" || !Array.isArray(img)) return null;
  if (!img.every((address) => typeof address === "string")) return null;
  if (!isBetween(buyPrice, 0, MAX_PRICE)) return null;
  if (!isBetween(qtn, 1, MAX_QUANTITY) || !Number.isInteger(qtn)) return null;
  // Lines from before there were variants are of products.
  const rest = {
    product: isId(product) ? product : _id,
    options: readOptions(options),
    currency: typeof currency === "string" ? currency : FIRST_CURRENCY,
  };
  return { _id, name, img, buyPrice, qtn, ...rest };
}

function readOptions(found: unknown): Record<string, string> {
  if (typeof found !== "object" || found === null) return {};
  const texts = Object.entries(found).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(texts.slice(0, MAX_OPTIONS));
}

function isBetween(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && value >= least && value <= most;
}

const store = persistedStore("haat.cart", readLines);

// Null in server markup.
export function useCart(): CartLine[] | null {
  return useStore(store);
}

export function useUnits(): number {
  return useSelected(store, (lines) => units(lines ?? []));
}

export const cart = {
  lines: store.get,
  subscribe: store.subscribe,
  // Returns how many were added, which the stock may limit.
  add(product: CartProduct, quantity = 1): number {
    const before = units(store.get());
    store.update((lines) => add(lines, product, quantity));
    return units(store.get()) - before;
  },
  setQuantity: (id: string, qtn: number, stock?: number) =>
    store.update((lines) => setQuantity(lines, id, qtn, stock)),
  remove: (id: string) => store.update((lines) => remove(lines, id)),
  replace: (next: (lines: CartLine[]) => CartLine[]) => store.update(next),
};
