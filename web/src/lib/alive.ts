import { useSyncExternalStore } from "react";

const never = () => () => {};

// False in the server's markup, true once React has taken it over. A form that only works with
// JavaScript cannot be sent before: the browser would do it in its own way, password and all.
export function useAlive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
