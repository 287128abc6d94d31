// Money as whole US cents; taka only for display. No Intl: QuickJS has none, and server and browser
// must write the same text.
import type { Currency } from "./api.gen";

export type Cents = number & { readonly unit: "cents" };

export function cents(dollars: number): Cents {
  return Math.round(dollars * 100) as Cents;
}

// `rate` is taka per dollar in ten-thousandths. Half a taka rounds up.
export function taka(amount: Cents, rate: number): number {
  return Math.floor((amount * rate + 500_000) / 1_000_000);
}

export function format(amount: Cents, currency: Currency, rate: number): string {
  return currency === "BDT" ? `৳${grouped(taka(amount, rate))}` : `$${decimal(amount, grouped)}`;
}

// "1234.50", as in structured data and the API.
export function plain(amount: Cents): string {
  return decimal(amount, String);
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

function decimal(amount: Cents, whole: (dollars: number) => string): string {
  return `${whole(Math.floor(amount / 100))}.${String(amount % 100).padStart(2, "0")}`;
}

export function grouped(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ",");
}
