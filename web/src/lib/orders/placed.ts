// The order that was placed last in this tab, for the page that says so.
import { useSyncExternalStore } from "react";
import type { Currency, Order, OrderLine, PaymentProvider } from "../api.gen";
import { keepInTab } from "../session";

export type Placed = {
  number: string;
  email: string;
  total: number;
  credit: number;
  currency: Currency;
  rate: number;
  payment: PaymentProvider;
  lines: PlacedLine[];
};

export type PlacedLine = Pick<OrderLine, "_id" | "name" | "picture" | "qtn">;

const KEPT = "haat.placed";
const never = () => () => {};

// False: it is known already.
export function rememberPlaced(order: Order, payment: PaymentProvider): boolean {
  const { number, email, total, credit, currency, rate } = order;
  if (readPlaced(keptText())?.number === number) return false;
  const lines = order.lines.map(({ _id, name, picture, qtn }) => ({ _id, name, picture, qtn }));
  const placed: Placed = { number, email, total, credit, currency, rate, payment, lines };
  keepInTab(KEPT, placed);
  return true;
}

// Undefined in the server's markup, null where there is none.
export function usePlaced(): Placed | null | undefined {
  const text = useSyncExternalStore<string | null | undefined>(never, keptText, () => undefined);
  return text === undefined ? undefined : readPlaced(text);
}

// As text, because React compares.
function keptText(): string | null {
  try {
    return sessionStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

export function readPlaced(text: string | null): Placed | null {
  try {
    const found = JSON.parse(text ?? "null") as Partial<Placed> | null;
    const whole =
      typeof found?.number === "string" &&
      typeof found.email === "string" &&
      typeof found.total === "number" &&
      typeof found.credit === "number" &&
      typeof found.rate === "number" &&
      typeof found.payment === "string" &&
      Array.isArray(found.lines) &&
      found.lines.every(isLine) &&
      (found.currency === "USD" || found.currency === "BDT");
    return whole ? (found as Placed) : null;
  } catch {
    return null;
  }
}

function isLine(found: unknown): found is PlacedLine {
  if (typeof found !== "object" || found === null) return false;
  const { _id, name, picture, qtn } = found as Partial<PlacedLine>;
  const texts = [_id, name, picture].every((text) => typeof text === "string");
  return texts && typeof qtn === "number";
}
