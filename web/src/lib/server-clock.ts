// The server's clock. A cached page's `now` may be old and the visitor's clock wrong, so the newest
// time from a response is used.

let offset: number | null = null;

// `serverTime` is the server's time at `performance.now() === at`.
export function setServerTime(serverTime: number, at: number = performance.now()): void {
  if (Number.isFinite(serverTime)) offset = serverTime - at;
}

// Null until a time is known.
export function serverNow(): number | null {
  return offset === null ? null : offset + performance.now();
}

// From `Server-Timing: now;dur=<milliseconds since 1970>` on the document.
export function setServerTimeFromDocument(): void {
  const [document] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const now = document?.serverTiming?.find((entry) => entry.name === "now");
  if (document && now) setServerTime(now.duration, document.responseStart);
}
