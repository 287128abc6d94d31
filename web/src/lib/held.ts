// What this browser holds of a session, next to what the identity SDK keeps for itself: the shop's
// access token, and a mark that somebody is signed in, so that nobody else waits for the SDK.
type Key = "accessToken" | "signedIn";

// Undefined: storage is blocked.
export function held(key: Key): string | null | undefined {
  try {
    return localStorage.getItem(key);
  } catch {
    return undefined;
  }
}

export function hold(key: Key, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Blocked or full: what wants it will say so.
  }
}

// Another tab has begun to hold it.
export function onHeldElsewhere(key: Key, listener: () => void): void {
  addEventListener("storage", (event) => {
    if (event.key === key && event.newValue !== null) listener();
  });
}
