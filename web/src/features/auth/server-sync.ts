// Server sync: keeps a signed-in customer's cart and wishlist the same in this browser and on the
// server. This decides when to sync; each source decides what to send.
import { authFetch, jsonBody } from "./api-auth";

type SyncSource = {
  // The name of the lock that lets one tab at a time sync.
  name: string;
  // How long to wait for further changes before sending.
  debounce: number;
  // The customer customer data this browser shows; null: a guest's.
  owner: () => string | null;
  // Whether local data differs from what the server last answered.
  hasChanges: () => boolean;
  subscribe: (listener: () => void) => () => void;
  // Sends changes and applies the answer while `current` is true. Rejects where it should be
  // retried; "refused": local data stays until it changes.
  exchange: (customer: string, current: () => boolean) => Promise<"synced" | "refused">;
  // Its owner has signed out.
  reset: () => void;
};

export type Sync = {
  // Called when the access token is available.
  start: (uid: string) => void;
  stop: () => void;
};

const FIRST_RETRY = 5_000;
const LAST_RETRY = 300_000;

export function createSync(source: SyncSource): Sync {
  let uid: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retry = FIRST_RETRY;
  let busy = false;
  let stopListening = () => {};

  // One request at a time in this tab and, where the browser has locks, in all tabs.
  async function work(): Promise<void> {
    clearTimeout(timer);
    if (busy || uid === null) return;
    busy = true;
    const customer = uid;
    const exchange = () => source.exchange(customer, () => uid === customer);
    const done = await withLock(source.name, exchange).catch(() => "failed" as const);
    busy = false;
    if (uid === null) return;
    if (uid !== customer) return work();
    if (done === "failed") {
      timer = setTimeout(work, retry);
      retry = Math.min(retry * 2, LAST_RETRY);
      return;
    }
    retry = FIRST_RETRY;
    // Changed during the request.
    if (done === "synced" && source.hasChanges()) timer = setTimeout(work, source.debounce);
  }

  function onChange(): void {
    if (uid === null || source.owner() !== uid || !source.hasChanges()) return;
    clearTimeout(timer);
    timer = setTimeout(work, source.debounce);
  }

  function onReturn(): void {
    if (document.visibilityState === "visible") void work();
  }

  function listen(): () => void {
    const unsubscribe = source.subscribe(onChange);
    addEventListener("focus", onReturn);
    addEventListener("online", onReturn);
    document.addEventListener("visibilitychange", onReturn);
    return () => {
      unsubscribe();
      removeEventListener("focus", onReturn);
      removeEventListener("online", onReturn);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }

  return {
    start(customer) {
      if (uid === customer) return;
      stopListening();
      uid = customer;
      retry = FIRST_RETRY;
      const before = source.owner();
      if (before !== null && before !== customer) source.reset();
      stopListening = listen();
      void work();
    },
    stop() {
      clearTimeout(timer);
      stopListening();
      uid = null;
      if (source.owner() !== null) source.reset();
    },
  };
}

// Rejects where the request should be retried.
export async function send(method: string, address: string, body?: object): Promise<Response> {
  const answer = await authFetch(address, body ? { ...jsonBody(body), method } : { method });
  if (answer.status >= 500 || [401, 408, 429].includes(answer.status))
    throw new Error("to be retried");
  return answer;
}

function withLock<T>(name: string, task: () => Promise<T>): Promise<T> {
  const locks = (globalThis.navigator as Navigator | undefined)?.locks;
  return locks === undefined ? task() : locks.request(name, task);
}
