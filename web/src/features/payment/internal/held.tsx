import * as m from "messages/payment";
import { useEffect, useEffectEvent, useState } from "react";
import { digits } from "../../../lib/numbers";
import { serverNow } from "../../../lib/server-clock";
import { minutesLeft } from "../pay-state";
import styles from "../pay-view.module.css";

const TICK = 5_000;

// For how long the goods are held. The server has no clock for it, so that its markup names the moment.
export function Held({ until, onEnd }: { until: string; onEnd: () => void }) {
  const [minutes, setMinutes] = useState<number | null>(null);
  const ended = useEffectEvent(onEnd);
  useEffect(() => {
    const tick = () => {
      const left = minutesLeft(until, serverNow() ?? Date.now());
      setMinutes(left);
      if (left > 0) return;
      clearInterval(timer);
      ended();
    };
    const timer = setInterval(tick, TICK);
    tick();
    return () => clearInterval(timer);
  }, [until]);
  if (minutes === null)
    return <p className={styles.held}>{m.heldUntil({ time: digits(until.slice(11, 16)) })}</p>;
  return <p className={styles.held}>{minutes > 0 && m.held({ minutes })}</p>;
}
