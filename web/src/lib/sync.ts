// What somebody who is signed in keeps in this browser is also on the server, so that it is the same on
// every device: the cart, the wishlist. This says when the two talk; what they say is each one's own.
import { askOwn, jsonOf } from "./own";

export type Kept = {
  // Among all tabs, one at a time talks under this name.
  name: string;
  // How long a change waits for the next one, to be sent with it.
  soon: number;
  // Whose it is that this browser shows; null: its own.
  owner: () => string | null;
  // Whether something here differs from what the server last said.
  waiting: () => boolean;
  subscribe: (listener: () => void) => () => void;
  // Sends what waits and takes in the answer, as long as `current` says that it is still for whom it
  // was. Rejects where it is to be tried again later; "refused": what is here stays until it changes.
  exchange: (whose: string, current: () => boolean) => Promise<"told" | "refused">;
  // Its owner has gone.
  putAway: () => void;
};

export type Sync = {
  // Somebody is signed in, and the shop's access token is there.
  start: (uid: string) => void;
  stop: () => void;
};

const FIRST_RETRY = 5_000;
const LAST_RETRY = 300_000;

export function sync(kept: Kept): Sync {
  let uid: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retry = FIRST_RETRY;
  let busy = false;
  let stopListening = () => {};

  // One question at a time, in this tab and, where the browser can, among all of them.
  async function work(): Promise<void> {
    clearTimeout(timer);
    if (busy || uid === null) return;
    busy = true;
    const whose = uid;
    const exchange = () => kept.exchange(whose, () => uid === whose);
    const done = await alone(kept.name, exchange).catch(() => "failed" as const);
    busy = false;
    if (uid === null) return;
    if (uid !== whose) return work();
    if (done === "failed") {
      timer = setTimeout(work, retry);
      retry = Math.min(retry * 2, LAST_RETRY);
      return;
    }
    retry = FIRST_RETRY;
    // Changed while it was under way.
    if (done === "told" && kept.waiting()) timer = setTimeout(work, kept.soon);
  }

  function onChange(): void {
    if (uid === null || kept.owner() !== uid || !kept.waiting()) return;
    clearTimeout(timer);
    timer = setTimeout(work, kept.soon);
  }

  function onReturn(): void {
    if (document.visibilityState === "visible") void work();
  }

  function listen(): () => void {
    const forget = kept.subscribe(onChange);
    addEventListener("focus", onReturn);
    addEventListener("online", onReturn);
    document.addEventListener("visibilitychange", onReturn);
    return () => {
      forget();
      removeEventListener("focus", onReturn);
      removeEventListener("online", onReturn);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }

  return {
    start(whose) {
      if (uid === whose) return;
      stopListening();
      uid = whose;
      retry = FIRST_RETRY;
      const before = kept.owner();
      if (before !== null && before !== whose) kept.putAway();
      stopListening = listen();
      void work();
    },
    stop() {
      clearTimeout(timer);
      stopListening();
      uid = null;
      if (kept.owner() !== null) kept.putAway();
    },
  };
}

// Rejects where it is to be tried again later.
export async function send(method: string, address: string, body?: object): Promise<Response> {
  const answer = await askOwn(address, body ? { ...jsonOf(body), method } : { method });
  if (answer.status >= 500 || [401, 408, 429].includes(answer.status)) throw new Error("later");
  return answer;
}

function alone<T>(name: string, deed: () => Promise<T>): Promise<T> {
  const locks = (globalThis.navigator as Navigator | undefined)?.locks;
  return locks === undefined ? deed() : locks.request(name, deed);
}
