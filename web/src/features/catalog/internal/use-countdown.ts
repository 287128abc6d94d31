import * as m from "messages/catalog";
import { useEffect, useEffectEvent, useState } from "react";
import { digits } from "../../../lib/numbers";
import { serverNow, setServerTime } from "../../../lib/server-clock";
import { useHydrated } from "../../../lib/use-hydrated";

type Remaining = { days: number; hours: number; minutes: number; seconds: number };

const SECOND = 1000;

// Rounded up, so that the last second shows as 1 and zero means over.
export function remaining(milliseconds: number): Remaining {
  const left = Math.max(0, Math.ceil(milliseconds / SECOND));
  return {
    days: Math.floor(left / 86_400),
    hours: Math.floor(left / 3_600) % 24,
    minutes: Math.floor(left / 60) % 60,
    seconds: left % 60,
  };
}

export function twoDigits(number: number): string {
  return digits(String(number).padStart(2, "0"));
}

// "1 day 04:05:06"
export function remainingText({ days, hours, minutes, seconds }: Remaining): string {
  const clock = [hours, minutes, seconds].map(twoDigits).join(":");
  return days === 0 ? clock : m.daysAndClock({ days, clock });
}

// The first value is computed from the page's `now`, so that server and browser render the same;
// after hydration the server clock is used. `onEnd` is called once.
export function useCountdown(ends: string, now: string, onEnd: () => void): Remaining {
  const hydrated = useHydrated();
  const [left, setLeft] = useState(
    () => Date.parse(ends) - ((hydrated ? serverNow() : null) ?? Date.parse(now)),
  );
  const ended = useEffectEvent(onEnd);
  const begin = useEffectEvent(() => {
    if (serverNow() === null) setServerTime(Date.parse(now));
  });

  // A new `now` with the same end must not restart it, or an ended sale would refresh forever.
  useEffect(() => {
    begin();
    const tick = () => {
      const rest = Date.parse(ends) - (serverNow() ?? 0);
      setLeft(rest);
      if (rest > 0) return;
      clearInterval(timer);
      ended();
    };
    const timer = setInterval(tick, SECOND);
    return () => clearInterval(timer);
  }, [ends]);

  return remaining(left);
}
