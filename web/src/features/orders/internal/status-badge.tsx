import type { OrderStatus, PaymentState } from "../../../lib/api.gen";
import { PAYMENT_TEXTS, STATUS_NAMES, statusTone } from "../order-status";
import styles from "./status-badge.module.css";

export function StatusBadge({ status }: { status: OrderStatus }) {
  return (
    <span className={styles.badge} data-tone={statusTone(status)}>
      {STATUS_NAMES[status]}
    </span>
  );
}

export function PaymentBadge({ state }: { state: PaymentState }) {
  const text = PAYMENT_TEXTS[state];
  const tone = text === "Paid" ? "good" : text === "Unpaid" ? "due" : "off";
  return (
    <span className={styles.badge} data-tone={tone}>
      {text}
    </span>
  );
}
