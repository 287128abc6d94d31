import Timer from "lucide-react/icons/timer";
import * as m from "messages/catalog";
import { longDate } from "../../lib/dates";
import { refresh } from "../../lib/navigation";
import { remainingText, useCountdown } from "./internal/use-countdown";
import styles from "./sale-end.module.css";

export function SaleEnd({ ends, now }: { ends: string; now: string }) {
  const left = useCountdown(ends, now, refresh);
  return (
    <p className={styles.saleEnd} role="timer">
      <Timer size={18} strokeWidth={1.5} aria-hidden />
      {m.saleUntil({ date: longDate(ends), time: remainingText(left) })}
    </p>
  );
}
