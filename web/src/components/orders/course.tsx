import Check from "lucide-react/icons/check";
import X from "lucide-react/icons/x";
import { longDate } from "../../lib/dates";
import {
  course,
  type Happened,
  mood,
  noteParts,
  STATUS_NAMES,
  STATUS_WORDS,
  type Stage,
} from "../../lib/orders/course";
import styles from "./course.module.css";

// What has become of an order, step by step.
export function Course({ history }: { history: Happened[] }) {
  return (
    <ol className={styles.course}>
      {course(history).map((stage) => (
        <Step key={`${stage.status} ${stage.at}`} stage={stage} />
      ))}
    </ol>
  );
}

function Step({ stage: { status, at, here, note } }: { stage: Stage }) {
  const Icon = status === "cancelled" ? X : Check;
  return (
    <li
      className={styles.step}
      data-mood={at === null ? "ahead" : mood(status)}
      aria-current={here ? "step" : undefined}
    >
      <span className={styles.dot}>
        {at !== null && <Icon size={14} strokeWidth={2} aria-hidden />}
      </span>
      <div>
        <p className={styles.name}>{STATUS_NAMES[status]}</p>
        {at === null ? (
          <p className="visually-hidden">Not yet</p>
        ) : (
          <time dateTime={at}>{longDate(at)}</time>
        )}
        {here && <p className={styles.words}>{STATUS_WORDS[status]}</p>}
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
