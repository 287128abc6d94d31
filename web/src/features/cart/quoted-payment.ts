// How the quoted cart is to be paid: cash on delivery may cost a fee. The checkout sets it; elsewhere it is the
// one that the checkout starts with.
import { useEffect } from "react";
import type { PaymentProvider } from "../../lib/api.gen";
import { createStore, useStore } from "../../lib/store";

export const quotedPayment = createStore<PaymentProvider>("cash_on_delivery");

// Returns whether the cart is quoted for it.
export function useQuotedPayment(payment: PaymentProvider): boolean {
  const quoted = useStore(quotedPayment);
  useEffect(() => quotedPayment.set(payment), [payment]);
  useEffect(() => () => quotedPayment.set(quotedPayment.initial), []);
  return quoted === payment;
}
