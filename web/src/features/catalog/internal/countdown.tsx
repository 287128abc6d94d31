import * as m from "messages/catalog";
import { refresh } from "../../../lib/navigation";
import styles from "./countdown.module.css";
import { twoDigits, useCountdown } from "./use-countdown";

// When the sale ends the page is refreshed: prices have changed.
export function Countdown({ ends, now }: { ends: string; now: string }) {
  const left = useCountdown(ends, now, refresh);
  const parts = [
    ["days", m.days(), left.days],
    ["hours", m.hours(), left.hours],
    ["minutes", m.minutes(), left.minutes],
    ["seconds", m.seconds(), left.seconds],
  ] as const;
  return (
    <div className={styles.countdown} role="timer" aria-label={m.timeLeft()}>
      {parts.map(([unit, name, value]) => (
        <span key={unit} className={styles.part}>
          <b>{twoDigits(value)}</b> {name}
        </span>
      ))}
    </div>
  );
}
