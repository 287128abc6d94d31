// Amounts of money: decimal numbers in a currency, as the API has them. Arithmetic is done in whole
// minor units such as cents, which is exact. No Intl: QuickJS has none, and server and browser must
// write the same text.
import { CURRENCY_FORMATS, type Currency } from "./api.gen";
import { digits, formatNumber } from "./numbers";

function decimalsOf(currency: Currency): number {
  return CURRENCY_FORMATS[currency]?.decimals ?? 2;
}

function toMinor(amount: number, currency: Currency): number {
  return Math.round(amount * 10 ** decimalsOf(currency));
}

function fromMinor(units: number, currency: Currency): number {
  return units / 10 ** decimalsOf(currency);
}

// "$1,234.50", "৳1,235" or "CHF 1,234.50". With `short` zero decimals are left out: "$20".
export function format(amount: number, currency: Currency, short = false): string {
  const { symbol = `${currency}\u00a0`, leavesOutZeroDecimals = short } =
    CURRENCY_FORMATS[currency] ?? {};
  const [whole = "", decimals = ""] = plain(Math.abs(amount), currency).split(".");
  const hidden = leavesOutZeroDecimals && Number(decimals) === 0;
  const minus = toMinor(amount, currency) < 0 ? "-" : "";
  const rest = hidden || decimals === "" ? "" : `.${digits(decimals)}`;
  return minus + symbol + formatNumber(Number(whole)) + rest;
}

// "$", or the code of a currency without a symbol.
export function currencySign(currency: Currency): string {
  return CURRENCY_FORMATS[currency]?.symbol ?? currency;
}

// "1234.50", as in structured data.
export function plain(amount: number, currency: Currency): string {
  return fromMinor(toMinor(amount, currency), currency).toFixed(decimalsOf(currency));
}

export function sum(amounts: number[], currency: Currency): number {
  const units = amounts.reduce((all, amount) => all + toMinor(amount, currency), 0);
  return fromMinor(units, currency);
}

export function minus(amount: number, less: number, currency: Currency): number {
  return sum([amount, -less], currency);
}

export function times(amount: number, quantity: number, currency: Currency): number {
  return fromMinor(toMinor(amount, currency) * quantity, currency);
}

// Whole percent saved, rounded down, so that the saving is never overstated.
export function saving(realPrice: number, buyPrice: number, currency: Currency): number {
  const [real, buy] = [toMinor(realPrice, currency), toMinor(buyPrice, currency)];
  return real > buy ? Math.floor(((real - buy) * 100) / real) : 0;
}
