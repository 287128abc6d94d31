import { createContext, useContext } from "react";
import type { Currency, Shop } from "./api.gen";
import { setCookie } from "./cookie";
import { type Cents, format } from "./money";

type ShopState = {
  // With the currency that is shown now.
  shop: Shop;
  chooseCurrency: (currency: Currency) => void;
};

export const ShopContext = createContext<ShopState | null>(null);

export function useShop(): ShopState {
  const state = useContext(ShopContext);
  if (state === null) throw new Error("useShop outside of ShopContext");
  return state;
}

// Formats an amount in the current currency.
export function useMoney(): (amount: Cents) => string {
  const { shop } = useShop();
  return (amount) => format(amount, shop.currency, shop.rate);
}

// Whether e-mails about an account are delivered. A hosted identity service sends its own.
export function useAccountEmail(): boolean {
  const { shop } = useShop();
  return shop.sendsEmail || shop.identity.hosted;
}

export function saveCurrency(currency: Currency): void {
  setCookie("currency", currency);
}
