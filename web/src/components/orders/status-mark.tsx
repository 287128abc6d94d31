import type { OrderStatus, PaymentState } from "../../lib/api.gen";
import { mood, PAYMENT_WORDS, STATUS_NAMES } from "../../lib/orders/course";
import styles from "./status-mark.module.css";

export function StatusMark({ status }: { status: OrderStatus }) {
  return (
    <span className={styles.mark} data-mood={mood(status)}>
      {STATUS_NAMES[status]}
    </span>
  );
}

export function PaymentMood({ state }: { state: PaymentState }) {
  const words = PAYMENT_WORDS[state];
  const looks = words === "Paid" ? "good" : words === "Unpaid" ? "due" : "off";
  return (
    <span className={styles.mark} data-mood={looks}>
      {words}
    </span>
  );
}
