import { useState } from "react";
import type { OrderNow } from "../../lib/api.gen";
import { serverNow } from "../../lib/clock";
import { longDate } from "../../lib/dates";
import type { Wish } from "../../lib/orders/book";
import { Button } from "../../ui/button";
import { AskDialog } from "./ask-dialog";
import styles from "./order-page.module.css";

type Props = { order: OrderNow; changed: (now: OrderNow) => void };

// What a customer can still do to an order.
export function OrderActions({ order, changed }: Props) {
  const [wish, setWish] = useState<Wish | null>(null);
  const now = serverNow() ?? Date.now();
  const until = order.returnUntil;
  const returnable = until !== null && Date.parse(until) > now && order.returnable.length > 0;
  return (
    <>
      {order.canCancel && (
        <Button quiet aria-haspopup="dialog" onClick={() => setWish("cancel")}>
          Cancel order
        </Button>
      )}
      {returnable && (
        <>
          <Button quiet aria-haspopup="dialog" onClick={() => setWish("return")}>
            Return items
          </Button>
          <p className={styles.until}>Until {longDate(until)}.</p>
        </>
      )}
      <AskDialog
        wish={wish}
        order={order}
        onClose={() => setWish(null)}
        onDone={(next) => {
          setWish(null);
          changed(next);
        }}
      />
    </>
  );
}
