// A persisted store: a value in localStorage that survives a reload and is shared by all tabs.
// Where storage is blocked or full it lasts as long as the page.
import { useSyncExternalStore } from "react";

const VERSION = 1;

export type PersistedStore<T> = {
  get: () => T;
  update: (next: (value: T) => T) => void;
  subscribe: (listener: () => void) => () => void;
};

// `read` validates whatever is found, which may be null or damaged.
export function persistedStore<T>(key: string, read: (found: unknown) => T): PersistedStore<T> {
  const listeners = new Set<() => void>();
  let text: string | null = null;
  let value = read(null);
  let available = true;

  // Reads storage every time, so that a suspended tab never writes back an old value; the same text
  // gives the same object, as useSyncExternalStore requires.
  function get(): T {
    const found = available ? readText(key) : undefined;
    if (found === undefined || found === text) return value;
    text = found;
    value = read(unpack(found));
    return value;
  }

  function update(next: (value: T) => T): void {
    value = next(get());
    text = JSON.stringify({ version: VERSION, value });
    try {
      localStorage.setItem(key, text);
    } catch {
      available = false;
    }
    notify();
  }

  function notify(): void {
    for (const listener of listeners) listener();
  }

  function onStorage(event: StorageEvent): void {
    if (event.key === key || event.key === null) notify();
  }

  function subscribe(listener: () => void): () => void {
    if (listeners.size === 0) addEventListener("storage", onStorage);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) removeEventListener("storage", onStorage);
    };
  }

  return { get, update, subscribe };
}

// Null until hydrated: server-rendered pages are the same for everyone.
export function usePersisted<T>(store: PersistedStore<T>): T | null {
  return useSelected(store, (value) => value);
}

// A value derived from the store. Where it is the same as for null, as for most visitors, hydration
// causes no second render.
export function useSelected<T, P>(store: PersistedStore<T>, part: (value: T | null) => P): P {
  return useSyncExternalStore(
    store.subscribe,
    () => part(store.get()),
    () => part(null),
  );
}

// Undefined: storage is blocked.
function readText(key: string): string | null | undefined {
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

// Unique ids, at most `most`.
export function readIds(found: unknown, most: number): string[] {
  return Array.isArray(found) ? [...new Set(found.filter(isId))].slice(0, most) : [];
}
