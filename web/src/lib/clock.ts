// The server's clock, as the browser knows it. A page may come from a cache, so its own `now` is
// the worst witness and an answer's time the best; a visitor's clock is never asked.

let ahead: number | null = null;

// `serverTime` was true when `performance.now()` was `at`.
export function learnTime(serverTime: number, at: number = performance.now()): void {
  if (Number.isFinite(serverTime)) ahead = serverTime - at;
}

// Null until something has told the time.
export function serverNow(): number | null {
  return ahead === null ? null : ahead + performance.now();
}

// From `Server-Timing: now;dur=<milliseconds since 1970>` on the document itself.
export function learnTimeFromDocument(): void {
  const [document] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const now = document?.serverTiming?.find((entry) => entry.name === "now");
  if (document && now) learnTime(now.duration, document.responseStart);
}
