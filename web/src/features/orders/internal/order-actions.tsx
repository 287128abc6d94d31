import * as m from "messages/orders";
import { useState } from "react";
import type { OrderNow } from "../../../lib/api.gen";
import { longDate } from "../../../lib/dates";
import { serverNow } from "../../../lib/server-clock";
import { Button } from "../../../ui/button";
import styles from "../order-details.module.css";
import type { CustomerAction } from "../orders-api";
import { ActionDialog } from "./action-dialog";

type Props = { order: OrderNow; changed: (now: OrderNow) => void };

// The actions that a customer can still take on an order.
export function OrderActions({ order, changed }: Props) {
  const [action, setAction] = useState<CustomerAction | null>(null);
  const now = serverNow() ?? Date.now();
  const until = order.returnUntil;
  const returnable = until !== null && Date.parse(until) > now && order.returnable.length > 0;
  return (
    <>
      {order.canCancel && (
        <Button quiet aria-haspopup="dialog" onClick={() => setAction("cancel")}>
          {m.cancelOrder()}
        </Button>
      )}
      {returnable && (
        <>
          <Button quiet aria-haspopup="dialog" onClick={() => setAction("return")}>
            {m.returnItems()}
          </Button>
          <p className={styles.until}>{m.until({ date: longDate(until) })}</p>
        </>
      )}
      <ActionDialog
        action={action}
        order={order}
        onClose={() => setAction(null)}
        onDone={(next) => {
          setAction(null);
          changed(next);
        }}
      />
    </>
  );
}
