import { useEffect, useSyncExternalStore } from "react";
import { prepareAuth, useAccount } from "./auth";
import { goOn } from "./navigation";

// Somebody who is signed in has nothing to do on a page for signing in, whether they came so or
// just became so; but not before the form has finished its steps.
export function useGoOnSignedIn(to: () => string, busy: boolean): void {
  const { loading, user } = useAccount();
  useEffect(prepareAuth, []);
  const done = user !== null && !loading && !busy;
  useEffect(() => {
    if (done) goOn(to());
  }, [done, to]);
}

// Where ?from= says one was before signing in. Only the browser looks: the page is the same for all.
export function cameFrom(): string {
  const from = new URLSearchParams(location.search).get("from") ?? "/";
  return /^\/(?![/\\])/.test(from) ? from : "/";
}

// The address of another page for signing in, which knows as well where one came from.
export function useKeepsFrom(path: string): string {
  const from = useSyncExternalStore(never, cameFrom, () => "/");
  return from === "/" ? path : `${path}?from=${encodeURIComponent(from)}`;
}

const never = () => () => {};
