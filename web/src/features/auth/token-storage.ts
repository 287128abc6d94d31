// Auth items in localStorage, beside what the SDK stores: the shop's access token, and a flag that
// somebody is signed in, without which the SDK is not loaded.
type Key = "accessToken" | "signedIn";

// Undefined: storage is blocked.
export function readAuthItem(key: Key): string | null | undefined {
  try {
    return localStorage.getItem(key);
  } catch {
    return undefined;
  }
}

export function writeAuthItem(key: Key, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Blocked or full: the requests that need it will fail and say so.
  }
}

// Called when another tab sets the item.
export function onAuthItemAdded(key: Key, listener: () => void): void {
  addEventListener("storage", (event) => {
    if (event.key === key && event.newValue !== null) listener();
  });
}
