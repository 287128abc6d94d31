import * as orders from "messages/orders";
import * as m from "messages/payment";
import type { OrderNow, OrderPayment, PaymentState } from "../../../lib/api.gen";
import { longDate } from "../../../lib/dates";
import { format } from "../../../lib/money";
import { digits } from "../../../lib/numbers";
import { PAYMENT_NAMES } from "../../layout/payment-icons";
import { failureReason } from "../../payment/failure-reason";
import styles from "./order-payments.module.css";

const STATES: Record<PaymentState, () => string> = {
  pending: m.statePending,
  processing: m.stateProcessing,
  authorised: m.stateAuthorised,
  captured: m.paid,
  partly_refunded: m.statePartlyRefunded,
  refunded: m.stateRefunded,
  voided: m.stateVoided,
  failed: m.stateFailed,
};

// All payments of an order, those that failed among them: how, when and what became of it.
export function OrderPayments({ order: { payments, currency } }: { order: OrderNow }) {
  return (
    <ul className={styles.payments}>
      {payments.map((payment, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes.
        <Payment key={place} payment={payment} currency={currency} />
      ))}
    </ul>
  );
}

type Props = { payment: OrderPayment; currency: OrderNow["currency"] };

function Payment({ payment, currency }: Props) {
  const { provider, state, amount, refunded, changedAt, code, disputed } = payment;
  return (
    <li data-state={state}>
      <p className={styles.name}>
        <span>{PAYMENT_NAMES[provider]()}</span>
        {amount > 0 && <span>{format(amount, currency)}</span>}
      </p>
      <p className={styles.state}>
        {stateText(payment)} · <time dateTime={changedAt}>{dateAndTime(changedAt)}</time>
      </p>
      {refunded > 0 && (
        <p className={styles.state}>{m.paidBack({ amount: format(refunded, currency) })}</p>
      )}
      {disputed && <p className={styles.state}>{orders.disputed()}</p>}
      {state === "failed" && code !== "" && <p className={styles.state}>{failureReason(code)}</p>}
    </li>
  );
}

function stateText({ provider, state }: OrderPayment): string {
  const isCash = provider === "cash_on_delivery" && state === "authorised";
  return isCash ? m.stateToCollect() : STATES[state]();
}

// By the visitor's clock: it is never in server markup.
function dateAndTime(at: string): string {
  const moment = new Date(at);
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString();
  return m.dateAndTime({ date: longDate(local), time: digits(local.slice(11, 16)) });
}
