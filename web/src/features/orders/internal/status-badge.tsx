import type { OrderStatus, PaymentState } from "../../../lib/api.gen";
import { PAYMENT_TEXTS, STATUS_NAMES, statusTone } from "../order-status";
import styles from "./status-badge.module.css";

export function StatusBadge({ status }: { status: OrderStatus }) {
  return (
    <span className={styles.badge} data-tone={statusTone(status)}>
      {STATUS_NAMES[status]()}
    </span>
  );
}

export function PaymentBadge({ state }: { state: PaymentState }) {
  const { text, tone } = PAYMENT_TEXTS[state];
  return (
    <span className={styles.badge} data-tone={tone}>
      {text()}
    </span>
  );
}
