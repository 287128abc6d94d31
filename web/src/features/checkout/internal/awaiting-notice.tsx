import * as m from "messages/checkout";
import * as payments from "messages/payment";
import { useEffect, useState } from "react";
import { toast } from "../../../lib/toast";
import { fetchPayment, PaymentError, payPageUrl } from "../../payment/payment-api";
import { settleAwaiting, useAwaitingOrder } from "../awaiting-orders";
import styles from "./awaiting-notice.module.css";

// An order of this browser that waits for its payment, with the way there: after the Back button, or another day.
export function AwaitingNotice({ uid }: { uid: string }) {
  const order = useAwaitingOrder(uid);
  // It may have been paid without coming back, in another tab or on a phone.
  const [before] = useState(order);
  useEffect(() => {
    if (before === null) return;
    const { number, payUrl } = before;
    fetchPayment(payUrl).then(
      ({ status }) => settleAwaiting(number, status) && toast.success(m.done()),
      (why) => {
        if (why instanceof PaymentError && why.status === 404) settleAwaiting(number, "cancelled");
      },
    );
  }, [before]);
  if (order === null) return null;
  return (
    <div className={styles.notice} role="status">
      <p>
        {payments.waiting({
          number: order.number,
          link: (text) => <a href={payPageUrl(order.payUrl)}>{text}</a>,
        })}
      </p>
      <p className={styles.help}>{payments.waitingHelp()}</p>
    </div>
  );
}
