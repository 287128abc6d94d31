// Money as whole US cents; taka only for display. No Intl: QuickJS has none, and server and browser
// must write the same text.
import type { Currency } from "./api.gen";
import { digits, formatNumber } from "./numbers";

export type Cents = number & { readonly unit: "cents" };

export function cents(dollars: number): Cents {
  return Math.round(dollars * 100) as Cents;
}

// `rate` is taka per dollar in ten-thousandths. Half a taka rounds up.
export function taka(amount: Cents, rate: number): number {
  return Math.floor((amount * rate + 500_000) / 1_000_000);
}

export function format(amount: Cents, currency: Currency, rate: number): string {
  if (currency === "BDT") return `৳${formatNumber(taka(amount, rate))}`;
  return `$${formatNumber(Math.floor(amount / 100))}.${digits(hundredths(amount))}`;
}

// "1234.50", as in structured data and the API.
export function plain(amount: Cents): string {
  return `${Math.floor(amount / 100)}.${hundredths(amount)}`;
}

export function minus(amount: Cents, less: Cents): Cents {
  return (amount - less) as Cents;
}

export function times(amount: Cents, quantity: number): Cents {
  return (amount * quantity) as Cents;
}

// Whole percent saved, rounded down, so that the saving is never overstated.
export function saving(real: Cents, buy: Cents): number {
  return real > buy ? Math.floor(((real - buy) * 100) / real) : 0;
}

function hundredths(amount: Cents): string {
  return String(amount % 100).padStart(2, "0");
}
