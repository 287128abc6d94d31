// A value in the browser's storage: it survives a reload and is the same in every tab. Where storage
// is blocked or full it lasts as long as the page.
import { useSyncExternalStore } from "react";

const VERSION = 1;

export type Stored<T> = {
  get: () => T;
  change: (next: (value: T) => T) => void;
  subscribe: (listener: () => void) => () => void;
};

// `read` makes a value of whatever is found, nothing and damage included.
export function stored<T>(key: string, read: (found: unknown) => T): Stored<T> {
  const listeners = new Set<() => void>();
  let text: string | null = null;
  let value = read(null);
  let kept = true;

  // Storage is asked every time, so that a tab that slept never writes back what it remembers; the
  // same text gives the same value, which React relies on.
  function get(): T {
    const found = kept ? storedText(key) : undefined;
    if (found === undefined || found === text) return value;
    text = found;
    value = read(unpack(found));
    return value;
  }

  function change(next: (value: T) => T): void {
    value = next(get());
    text = JSON.stringify({ version: VERSION, value });
    try {
      localStorage.setItem(key, text);
    } catch {
      kept = false;
    }
    tell();
  }

  function tell(): void {
    for (const listener of listeners) listener();
  }

  function onStorage(event: StorageEvent): void {
    if (event.key === key || event.key === null) tell();
  }

  function subscribe(listener: () => void): () => void {
    if (listeners.size === 0) addEventListener("storage", onStorage);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) removeEventListener("storage", onStorage);
    };
  }

  return { get, change, subscribe };
}

// Null until the browser has taken over the server's markup: pages are the same for everyone.
export function useStored<T>(store: Stored<T>): T | null {
  return usePart(store, (value) => value);
}

// What somebody shows of it, a number or a yes: where that is the same for the server's null, as it is
// for most visitors, nothing is rendered again when the browser takes over.
export function usePart<T, P>(store: Stored<T>, part: (value: T | null) => P): P {
  return useSyncExternalStore(
    store.subscribe,
    () => part(store.get()),
    () => part(null),
  );
}

// Undefined: storage is blocked.
function storedText(key: string): string | null | undefined {
  try {
    return localStorage.getItem(key);
  } catch {
    return undefined;
  }
}

function unpack(text: string | null): unknown {
  try {
    const found = JSON.parse(text ?? "null") as { version?: unknown; value?: unknown } | null;
    return found?.version === VERSION ? found.value : null;
  } catch {
    return null;
  }
}

export function isId(value: unknown): value is string {
  return typeof value === "string" && /^[\w-]{1,64}$/.test(value);
}

// Each once, at most `most`.
export function readIds(found: unknown, most: number): string[] {
  return Array.isArray(found) ? [...new Set(found.filter(isId))].slice(0, most) : [];
}
