import { useSyncExternalStore } from "react";

const never = () => () => {};

// Whether React has hydrated the page: false in server markup. A form that needs JavaScript is
// disabled until then, or the browser would submit it natively, password included.
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
