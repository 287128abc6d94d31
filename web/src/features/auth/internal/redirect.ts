import { useEffect, useSyncExternalStore } from "react";
import { localUrl } from "../../../lib/language";
import { redirect } from "../../../lib/navigation";
import { loadIdentity, useAuth } from "../auth";

// Redirects signed-in visitors away from the auth pages, but not before the form has finished its
// steps.
export function useRedirectSignedIn(to: () => string, busy: boolean): void {
  const { loading, user } = useAuth();
  useEffect(loadIdentity, []);
  const done = user !== null && !loading && !busy;
  useEffect(() => {
    if (done) redirect(to());
  }, [done, to]);
}

// The path in ?from=, where the visitor was before signing in, with its language. Only the browser
// reads it: the page is the same for everyone.
export function returnPath(): string {
  const from = new URLSearchParams(location.search).get("from") ?? "";
  return /^\/(?![/\\])/.test(from) ? from : localUrl("/");
}

// The URL of another auth page, with the same ?from=.
export function useLinkWithReturn(path: string): string {
  const from = useSyncExternalStore(never, returnPath, () => localUrl("/"));
  return from === localUrl("/") ? path : `${path}?from=${encodeURIComponent(from)}`;
}

const never = () => () => {};
