import * as m from "messages/checkout";
import * as payments from "messages/payment";
import { useCallback, useEffect, useRef, useState } from "react";
import type { NewOrder, Order } from "../../../lib/api.gen";
import { announce, redirect } from "../../../lib/navigation";
import { toast } from "../../../lib/toast";
import { completedUrl } from "../../../lib/urls";
import { cart, withoutBought } from "../../cart/cart";
import { discountCodes } from "../../cart/discount-codes";
import { applyQuote } from "../../cart/quote";
import { leaveFor } from "../../payment/leave";
import { isPaidElsewhere } from "../../payment/method-rules";
import { findAwaiting, saveAwaiting, settleAwaiting } from "../awaiting-orders";
import { saveLastOrder } from "./last-order";
import {
  type Attempt,
  clearAttempt,
  isPaidOtherwise,
  markAwaiting,
  matchesCart,
  pendingAttempt,
  startAttempt,
} from "./order-attempt";
import {
  findOrder,
  type PlaceOrderResult,
  payOtherwise,
  placeOrder,
  type Waiting,
} from "./place-order";

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
// has left the cart: then the order is only looked up, not sent again. An order that is to be paid elsewhere leads the
// shopper there; its attempt waits, until the order is paid or cancelled.
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
      const { kind } = result;
      const isKept = kind === "unknown" || kind === "signedOut" || kind === "awaitsPayment";
      if (!isKept) clearAttempt();
      if (kind === "changed") applyQuote(result.cart.quote);
      if (kind === "placed") removeFromCart(result.order, attempt);
      if (kind === "awaitsPayment") keepAwaiting(result, attempt);
      const leaves = kind === "awaitsPayment" && result.redirect !== null && mounted.current;
      // Nothing may be sent after a success, while the popup is open or the next page loads.
      running.current = kind === "placed" || leaves;
      // A toast for a customer who has left the page meanwhile.
      if (kind === "placed" && !mounted.current) toast.success(m.done());
      if (kind === "awaitsPayment" && !mounted.current)
        toast.success(payments.waitingLater({ number: result.number }));
      setOutcome(result);
      setBusy(running.current);
      if (leaves && result.redirect !== null)
        leaveFor(result.redirect, () => {
          running.current = false;
          setBusy(false);
        });
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
    if (attempt !== null && attempt.awaits === undefined)
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

  async function start(order: NewOrder): Promise<PlaceOrderResult | null> {
    if (running.current) return null;
    const before = pendingAttempt(uid);
    const waiting = before?.awaits === undefined ? null : findAwaiting(before.awaits);
    // In another tab it was paid or cancelled.
    if (before?.awaits !== undefined && waiting === null) clearAttempt();
    const { payment = "cash_on_delivery" } = order;
    const otherwise = before !== null && isPaidElsewhere(payment) && isPaidOtherwise(before, order);
    if (waiting !== null && otherwise) return run(before, () => payOtherwise(waiting, payment));
    return run(startAttempt(uid, order));
  }
  return { busy, outcome, start, retry };
}

function keepAwaiting({ number, lines, payUrl }: Waiting, attempt: Attempt): void {
  markAwaiting(attempt, number);
  saveAwaiting({ number, uid: attempt.uid, payUrl, lines, at: Date.now() });
}

// Two responses may be about the same order; it is removed from the cart once, with all codes.
function removeFromCart(order: Order, attempt: Attempt): void {
  const payment = attempt.order.payment ?? "cash_on_delivery";
  if (!saveLastOrder(order, payment, attempt.uid === "")) return;
  if (settleAwaiting(order.number, "placed")) return;
  cart.replace((lines) => withoutBought(lines, order.lines));
  discountCodes.clear();
}
