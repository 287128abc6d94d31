import Check from "lucide-react/icons/check";
import X from "lucide-react/icons/x";
import * as m from "messages/orders";
import type { PaymentStatus } from "../../lib/api.gen";
import { longDate } from "../../lib/dates";
import {
  noteParts,
  STATUS_NAMES,
  type StatusChange,
  statusText,
  statusTone,
  type TimelineStep,
  timeline,
} from "./order-status";
import styles from "./order-timeline.module.css";

type Props = { history: StatusChange[]; paymentStatus: PaymentStatus };

// The order timeline: its statuses, step by step.
export function OrderTimeline({ history, paymentStatus }: Props) {
  return (
    <ol>
      {timeline(history).map((step) => (
        <Step key={`${step.status} ${step.at}`} step={step} paymentStatus={paymentStatus} />
      ))}
    </ol>
  );
}

type StepProps = { step: TimelineStep; paymentStatus: PaymentStatus };

function Step({ step: { status, at, here, note }, paymentStatus }: StepProps) {
  const Icon = status === "cancelled" ? X : Check;
  return (
    <li
      className={styles.step}
      data-tone={at === null ? "ahead" : statusTone(status)}
      aria-current={here ? "step" : undefined}
    >
      <span className={styles.dot}>
        {at !== null && <Icon size={14} strokeWidth={2} aria-hidden />}
      </span>
      <div>
        <p className={styles.name}>{STATUS_NAMES[status]()}</p>
        {at === null ? (
          <p className="visually-hidden">{m.notYet()}</p>
        ) : (
          <time dateTime={at}>{longDate(at)}</time>
        )}
        {here && <p className={styles.words}>{statusText({ status, paymentStatus })}</p>}
        {note !== "" && <Note note={note} />}
      </div>
    </li>
  );
}

function Note({ note }: { note: string }) {
  return (
    <p className={styles.note}>
      {noteParts(note).map(({ text, url }) =>
        url === null ? (
          text
        ) : (
          <a key={text} href={url} rel="noopener nofollow" target="_blank">
            {text}
          </a>
        ),
      )}
    </p>
  );
}
