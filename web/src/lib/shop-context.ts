import { createContext, useContext } from "react";
import type { Shop } from "./api.gen";
import { format } from "./money";

export const ShopContext = createContext<Shop | null>(null);

export function useShop(): Shop {
  const shop = useContext(ShopContext);
  if (shop === null) throw new Error("useShop outside of ShopContext");
  return shop;
}

// Formats an amount in the currency of the page.
export function useMoney(): (amount: number) => string {
  const { currency } = useShop();
  return (amount) => format(amount, currency);
}

// Whether e-mails about an account are delivered. A hosted identity service sends its own.
export function useAccountEmail(): boolean {
  const shop = useShop();
  return shop.sendsEmail || shop.identity.hosted;
}
