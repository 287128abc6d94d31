// Short messages at the edge of the screen. Nothing of it is loaded until the first one.
import { useSyncExternalStore } from "react";

let wanted = false;
const listeners = new Set<() => void>();

export const toast = {
  success: (message: string) => say("success", message),
  error: (message: string) => say("error", message),
};

// Whether there has been anything to say yet.
export function useToastsWanted(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => wanted,
    () => false,
  );
}

function say(kind: "success" | "error", message: string): void {
  wanted = true;
  for (const listener of listeners) listener();
  import("react-hot-toast/headless").then(
    ({ toast: show }) => show[kind](message),
    // Offline. What the message told about has happened, or is shown where it failed.
    () => {},
  );
}
