import { useCallback, useEffect, useRef, useState } from "react";
import type { NewOrder, Order } from "../../lib/api.gen";
import { cart, without } from "../../lib/cart";
import { announce, goOn } from "../../lib/navigation";
import {
  type Attempt,
  attemptFor,
  endAttempt,
  isFor,
  pendingAttempt,
} from "../../lib/orders/attempt";
import { rememberPlaced } from "../../lib/orders/placed";
import { find, type Outcome, place } from "../../lib/orders/placing";
import { takeQuote } from "../../lib/quote";
import { toast } from "../../lib/toast";
import { COMPLETED } from "../../lib/urls";

export const DONE = "Order successfully done";
const POPUP_STAYS = 1_500;

export type Placing = {
  busy: boolean;
  // What came of the last try; null before, and while another is under way.
  outcome: Outcome | null;
  start: (order: NewOrder) => Promise<Outcome | null>;
  // The same again, where no answer came.
  again: () => void;
};

// One order at a time. One that was sent before a reload and had no answer goes on by itself, because
// whoever pressed the button is owed the answer. Where the cart is another by now, either the customer has
// changed it, and chooses whether to go on, or the order was placed and has left the cart on the server:
// so the shop is asked for the order, and nothing is sent again.
export function usePlacing(uid: string): Placing {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const under = useRef(false);
  const here = useRef(false);

  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  const run = useCallback(async (attempt: Attempt, how = place): Promise<Outcome | null> => {
    if (under.current) return null;
    under.current = true;
    setBusy(true);
    setOutcome(null);
    const came = await how(attempt);
    if (came.kind !== "unknown" && came.kind !== "signedOut") endAttempt();
    if (came.kind === "changed") takeQuote(came.cart.quote);
    if (came.kind === "placed") settle(came.order, attempt);
    // Placed is placed: nothing may be sent while the popup stands.
    else under.current = false;
    // Whoever went on meanwhile is told where they are.
    if (came.kind === "placed" && !here.current) toast.success(DONE);
    setOutcome(came);
    setBusy(came.kind === "placed");
    return came;
  }, []);

  const again = useCallback(() => {
    const attempt = pendingAttempt(uid);
    if (attempt !== null) void run(attempt);
  }, [uid, run]);

  useEffect(() => {
    const attempt = pendingAttempt(uid);
    if (attempt !== null) void run(attempt, isFor(attempt, cart.lines()) ? place : find);
  }, [uid, run]);

  const placed = outcome?.kind === "placed";
  useEffect(() => {
    if (!placed) return;
    announce(DONE);
    // For whoever reloads while the popup stands.
    history.replaceState(history.state, "", COMPLETED);
    const over = setTimeout(() => goOn(COMPLETED), POPUP_STAYS);
    return () => clearTimeout(over);
  }, [placed]);

  const start = async (order: NewOrder) => (under.current ? null : run(attemptFor(uid, order)));
  return { busy, outcome, start, again };
}

// Two answers may tell of the same order; it leaves the cart once.
function settle(order: Order, attempt: Attempt): void {
  if (!rememberPlaced(order, attempt.order.payment ?? "cash_on_delivery")) return;
  cart.replace((lines) => without(lines, order.lines));
}
