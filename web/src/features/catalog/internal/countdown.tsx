import { refresh } from "../../../lib/navigation";
import styles from "./countdown.module.css";
import { twoDigits, useCountdown } from "./use-countdown";

// When the sale ends the page is refreshed: prices have changed.
export function Countdown({ ends, now }: { ends: string; now: string }) {
  const left = useCountdown(ends, now, refresh);
  const parts = [
    ["days", left.days],
    ["hours", left.hours],
    ["minutes", left.minutes],
    ["seconds", left.seconds],
  ] as const;
  return (
    <div className={styles.countdown} role="timer" aria-label="Time left">
      {parts.map(([name, value]) => (
        <span key={name} className={styles.part}>
          <b>{twoDigits(value)}</b> {name}
        </span>
      ))}
    </div>
  );
}
