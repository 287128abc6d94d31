import * as m from "messages/checkout";
import { useCallback, useEffect, useRef, useState } from "react";
import type { NewOrder, Order } from "../../../lib/api.gen";
import { announce, redirect } from "../../../lib/navigation";
import { toast } from "../../../lib/toast";
import { completedUrl } from "../../../lib/urls";
import { cart, withoutBought } from "../../cart/cart";
import { discountCodes } from "../../cart/discount-codes";
import { applyQuote } from "../../cart/quote";
import { saveLastOrder } from "./last-order";
import {
  type Attempt,
  clearAttempt,
  matchesCart,
  pendingAttempt,
  startAttempt,
} from "./order-attempt";
import { findOrder, type PlaceOrderResult, placeOrder } from "./place-order";

const POPUP_STAYS = 1_500;

type PlaceOrderState = {
  busy: boolean;
  // The result of the last attempt; null before, and while another is running.
  outcome: PlaceOrderResult | null;
  start: (order: NewOrder) => Promise<PlaceOrderResult | null>;
  // Sends the pending attempt again.
  retry: () => void;
};

// Places one order at a time. An attempt from before a reload continues by itself. If the cart has
// changed since, either the customer changed it and decides what to do, or the order was placed and
// has left the cart: then the order is only looked up, not sent again.
export function usePlaceOrder(uid: string): PlaceOrderState {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<PlaceOrderResult | null>(null);
  const running = useRef(false);
  const mounted = useRef(false);

  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  const run = useCallback(
    async (attempt: Attempt, how = placeOrder): Promise<PlaceOrderResult | null> => {
      if (running.current) return null;
      running.current = true;
      setBusy(true);
      setOutcome(null);
      const result = await how(attempt);
      if (result.kind !== "unknown" && result.kind !== "signedOut") clearAttempt();
      if (result.kind === "changed") applyQuote(result.cart.quote);
      if (result.kind === "placed") removeFromCart(result.order, attempt);
      // Nothing may be sent after a success, while the popup is open.
      else running.current = false;
      // A toast for a customer who has left the page meanwhile.
      if (result.kind === "placed" && !mounted.current) toast.success(m.done());
      setOutcome(result);
      setBusy(result.kind === "placed");
      return result;
    },
    [],
  );

  const retry = useCallback(() => {
    const attempt = pendingAttempt(uid);
    if (attempt !== null) void run(attempt);
  }, [uid, run]);

  useEffect(() => {
    const attempt = pendingAttempt(uid);
    if (attempt !== null)
      void run(attempt, matchesCart(attempt, cart.lines()) ? placeOrder : findOrder);
  }, [uid, run]);

  const placed = outcome?.kind === "placed";
  useEffect(() => {
    if (!placed) return;
    announce(m.done());
    // For a reload while the popup is open.
    history.replaceState(history.state, "", completedUrl());
    const over = setTimeout(() => redirect(completedUrl()), POPUP_STAYS);
    return () => clearTimeout(over);
  }, [placed]);

  const start = async (order: NewOrder) => (running.current ? null : run(startAttempt(uid, order)));
  return { busy, outcome, start, retry };
}

// Two responses may be about the same order; it is removed from the cart once, with all codes.
function removeFromCart(order: Order, attempt: Attempt): void {
  const payment = attempt.order.payment ?? "cash_on_delivery";
  if (!saveLastOrder(order, payment, attempt.uid === "")) return;
  cart.replace((lines) => withoutBought(lines, order.lines));
  discountCodes.clear();
}
