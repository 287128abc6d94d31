import type { OrderNow, OrderStatus } from "../../../lib/api.gen";
import { PAYMENT_TEXTS, STATUS_NAMES, statusTone } from "../order-status";
import styles from "./status-badge.module.css";

export function StatusBadge({ status }: { status: OrderStatus }) {
  return (
    <span className={styles.badge} data-tone={statusTone(status)}>
      {STATUS_NAMES[status]()}
    </span>
  );
}

// Empty where the status of the order says the same.
export function PaymentBadge({ order }: { order: Pick<OrderNow, "status" | "paymentStatus"> }) {
  const { text, tone } = PAYMENT_TEXTS[order.paymentStatus];
  if (order.status === order.paymentStatus) return <span />;
  return (
    <span className={styles.badge} data-tone={tone}>
      {text()}
    </span>
  );
}
