import { createContext, useContext } from "react";
import type { Currency, Shop } from "./api.gen";
import { type Cents, format } from "./money";

type Stall = {
  // In the currency that the visitor sees now.
  shop: Shop;
  chooseCurrency: (currency: Currency) => void;
};

export const ShopContext = createContext<Stall | null>(null);

export function useShop(): Stall {
  const stall = useContext(ShopContext);
  if (stall === null) throw new Error("useShop outside of ShopContext");
  return stall;
}

// How an amount reads in the currency that is on.
export function useMoney(): (amount: Cents) => string {
  const { shop } = useShop();
  return (amount) => format(amount, shop.currency, shop.rate);
}

// What the shopper is told where no e-mail can be sent.
export const NO_EMAIL = "This shop cannot send e-mail yet.";

// Whether e-mails about an account arrive. A hosted identity service sends its own.
export function useAccountEmail(): boolean {
  const { shop } = useShop();
  return shop.sendsEmail || shop.identity.hosted;
}

export function keepCurrency(currency: Currency): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `currency=${currency}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}
