// The currency of the page that is shown, in which the API answers, and the visitor's choice: a cookie,
// which the server reads for pages. They differ where another tab has chosen since.
import type { Currency, Shop } from "./api.gen";
import { setCookie } from "./cookie";

let shown: Currency = "USD";
let offered: Currency[] = [shown];

// With every page.
export function setCurrency({ currency, currencies }: Pick<Shop, "currency" | "currencies">): void {
  shown = currency;
  offered = currencies;
}

export function shownCurrency(): Currency {
  return shown;
}

// That of the next page.
export function chosenCurrency(): Currency {
  const [, chosen = ""] = /(?:^|; )currency=([^;]*)/.exec(document.cookie) ?? [];
  return offered.includes(chosen) ? chosen : (offered[0] ?? shown);
}

export function saveCurrency(currency: Currency): void {
  setCookie("currency", currency);
}
