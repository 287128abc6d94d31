import { useCallback, useEffect, useRef, useState } from "react";
import type { PaymentView } from "../../lib/api.gen";
import { isPolled, payState, pollDelay } from "./pay-state";
import { fetchPayment, payUrlOf } from "./payment-api";

export type PaymentNow = {
  now: PaymentView;
  // How often it was asked about, and whether the last time there was no answer.
  tries: number;
  unreachable: boolean;
  refresh: () => void;
  replace: (now: PaymentView) => void;
};

// The payment as the page shows it. While its outcome is not known, the server is asked: less and less often, and only
// while the page can be seen. Also when the shopper comes back to a page that the browser has kept.
export function usePayment(first: PaymentView): PaymentNow {
  const [now, setNow] = useState(first);
  const [shown, setShown] = useState(first);
  const [tries, setTries] = useState(0);
  const [unreachable, setUnreachable] = useState(false);
  const running = useRef(false);
  // Another page, or the same one in another currency.
  if (shown !== first) {
    setShown(first);
    setNow(first);
  }
  const { number, key, returned } = first;
  const payUrl = payUrlOf({ number, key });

  const replace = useCallback((next: PaymentView) => setNow({ ...next, returned }), [returned]);
  const refresh = useCallback(async () => {
    if (running.current) return;
    running.current = true;
    try {
      replace(await fetchPayment(payUrl));
      setUnreachable(false);
    } catch {
      setUnreachable(true);
    }
    running.current = false;
    setTries((before) => before + 1);
  }, [payUrl, replace]);

  const state = payState(now);
  const polled = isPolled(state);
  // It may have been paid in another tab, or on a phone.
  const isOpen = state === "awaiting" || state === "failed";
  const isPending = state === "awaiting" && now.payment?.state === "pending";
  useEffect(() => {
    if (isPending || (isOpen && isRestored())) void refresh();
  }, [isPending, isOpen, refresh]);
  useEffect(() => {
    if (!isOpen) return;
    const onVisibility = () => {
      if (!document.hidden) void refresh();
    };
    document.addEventListener("visibilitychange", onVisibility);
    return () => document.removeEventListener("visibilitychange", onVisibility);
  }, [isOpen, refresh]);

  useEffect(() => {
    if (!polled) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    if (!document.hidden) timer = setTimeout(refresh, pollDelay(tries));
    const onVisibility = () => {
      clearTimeout(timer);
      if (!document.hidden) void refresh();
    };
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }, [polled, tries, refresh]);

  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void refresh();
    };
    addEventListener("pageshow", onShow);
    return () => removeEventListener("pageshow", onShow);
  }, [refresh]);

  return { now, tries, unreachable, refresh: () => void refresh(), replace };
}

// Whether the Back button led here, to a document that may be old.
function isRestored(): boolean {
  const [document] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return document?.type === "back_forward";
}
