// The cart of this browser. What stands in it was true when it was put in; what it costs now, only
// the server's quote says.
import { type Cents, cents, times } from "./money";
import { isId, stored, usePart, useStored } from "./stored";

export const MOST_OF_ONE = 100;
export const MOST_LINES = 100;
const HIGHEST_PRICE = 100_000_000;

export type CartLine = {
  _id: string;
  name: string;
  img: string[];
  buyPrice: number;
  // How many are wanted, 1 to 100.
  qtn: number;
};

// What can be put into a cart; its `qtn` is how many there are in stock.
export type Goods = CartLine;

// Already there: `quantity` more, never more than 100 or than there are in stock.
export function add(lines: CartLine[], goods: Goods, quantity = 1): CartLine[] {
  const { _id, name, img, buyPrice, qtn: stock } = goods;
  const before = lines.find((line) => line._id === _id);
  const qtn = Math.min((before?.qtn ?? 0) + quantity, stock, MOST_OF_ONE);
  if (before !== undefined) return qtn > before.qtn ? setQuantity(lines, _id, qtn) : lines;
  if (qtn < 1 || lines.length >= MOST_LINES) return lines;
  return [...lines, { _id, name, img: img.slice(0, 1), buyPrice, qtn }];
}

// Less than one removes the line.
export function setQuantity(
  lines: CartLine[],
  id: string,
  wanted: number,
  stock = MOST_OF_ONE,
): CartLine[] {
  const qtn = Math.min(Math.floor(wanted), stock, MOST_OF_ONE);
  if (!(qtn >= 1)) return remove(lines, id);
  return lines.map((line) => (line._id === id ? { ...line, qtn } : line));
}

export function remove(lines: CartLine[], id: string): CartLine[] {
  return lines.filter((line) => line._id !== id);
}

// What is left when these were bought.
export function without(lines: CartLine[], bought: { _id: string; qtn: number }[]): CartLine[] {
  return bought.reduce((rest, { _id, qtn }) => {
    const line = rest.find((one) => one._id === _id);
    return line === undefined ? rest : setQuantity(rest, _id, line.qtn - qtn);
  }, lines);
}

export function units(lines: CartLine[]): number {
  return lines.reduce((sum, line) => sum + line.qtn, 0);
}

export function lineTotal(line: CartLine): Cents {
  return times(cents(line.buyPrice), line.qtn);
}

export function subTotal(lines: CartLine[]): Cents {
  return lines.reduce((sum, line) => sum + lineTotal(line), 0) as Cents;
}

// Lines that are damaged are dropped, without a word.
export function readLines(found: unknown): CartLine[] {
  const lines = Array.isArray(found) ? found.map(readLine).filter((line) => line !== null) : [];
  return [...new Map(lines.map((line) => [line._id, line])).values()].slice(0, MOST_LINES);
}

function readLine(found: unknown): CartLine | null {
  if (typeof found !== "object" || found === null) return null;
  const { _id, name, img, buyPrice, qtn } = found as Record<string, unknown>;
  if (!isId(_id) || typeof name !== "string" || !Array.isArray(img)) return null;
  if (!img.every((address) => typeof address === "string")) return null;
  if (!isBetween(buyPrice, 0, HIGHEST_PRICE)) return null;
  if (!isBetween(qtn, 1, MOST_OF_ONE) || !Number.isInteger(qtn)) return null;
  return { _id, name, img, buyPrice, qtn };
}

function isBetween(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && value >= least && value <= most;
}

const store = stored("haat.cart", readLines);

// Null while nobody knows yet: in the server's markup.
export function useCart(): CartLine[] | null {
  return useStored(store);
}

export function useUnits(): number {
  return usePart(store, (lines) => units(lines ?? []));
}

export const cart = {
  lines: store.get,
  subscribe: store.subscribe,
  // Answers how many went in: fewer than wanted where there are no more to be had.
  add(goods: Goods, quantity = 1): number {
    const before = units(store.get());
    store.change((lines) => add(lines, goods, quantity));
    return units(store.get()) - before;
  },
  setQuantity: (id: string, qtn: number, stock?: number) =>
    store.change((lines) => setQuantity(lines, id, qtn, stock)),
  remove: (id: string) => store.change((lines) => remove(lines, id)),
  replace: (next: (lines: CartLine[]) => CartLine[]) => store.change(next),
};
