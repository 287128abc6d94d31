// Stores: values outside of React that components follow, in memory or in localStorage.
import { useSyncExternalStore } from "react";

const VERSION = 1;

type Readable<T, Initial = T> = {
  // The value in server markup, which is the same for everyone, and until hydrated.
  initial: Initial;
  get: () => T;
  subscribe: (listener: () => void) => () => void;
};

export type Store<T> = Readable<T> & { set: (value: T) => void; isWatched: () => boolean };

type PersistedStore<T> = Readable<T, null> & { update: (next: (value: T) => T) => void };

// With `read` the value is kept elsewhere, and `set` only reports its change.
export function createStore<T>(initial: T, read?: () => T): Store<T> {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    initial,
    get: read ?? (() => value),
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isWatched: () => listeners.size > 0,
  };
}

export function useStore<T, Initial>(store: Readable<T, Initial>): T | Initial {
  return useSelected(store, (value) => value);
}

// A value derived from the store. Where it is the same as for the initial value, as for most
// visitors, hydration causes no second render.
export function useSelected<T, Initial, Part>(
  store: Readable<T, Initial>,
  part: (value: T | Initial) => Part,
): Part {
  return useSyncExternalStore(
    store.subscribe,
    () => part(store.get()),
    () => part(store.initial),
  );
}

// A value in localStorage that survives a reload and is shared by all tabs. Where storage is
// blocked or full it lasts as long as the page. `read` validates whatever is found, which may be
// null or damaged.
export function persistedStore<T>(key: string, read: (found: unknown) => T): PersistedStore<T> {
  let text: string | null = null;
  let value = read(null);
  let available = true;
  const store = createStore(value, get);

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
    store.set(value);
  }

  function onStorage(event: StorageEvent): void {
    if (event.key === key || event.key === null) store.set(get());
  }

  function subscribe(listener: () => void): () => void {
    const unsubscribe = store.subscribe(listener);
    addEventListener("storage", onStorage);
    return () => {
      unsubscribe();
      if (!store.isWatched()) removeEventListener("storage", onStorage);
    };
  }

  return { initial: null, get, update, subscribe };
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
