// Short messages at the edge of the screen. Nothing that shows them is loaded until the first one.
import { useSyncExternalStore } from "react";

type Message = { kind: "success" | "error"; text: string };
type Show = (message: Message) => void;

let wanted = false;
const listeners = new Set<() => void>();
let show: Show | null = null;
let waiting: Message[] = [];

export const toast = {
  success: (text: string) => say({ kind: "success", text }),
  error: (text: string) => say({ kind: "error", text }),
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

// From now on messages are shown so. Those that came before have waited: a message is on the screen
// for its whole time, however long the code took that shows it.
export function showMessages(so: Show): () => void {
  show = so;
  waiting.forEach(so);
  waiting = [];
  return () => {
    show = null;
  };
}

function say(message: Message): void {
  wanted = true;
  for (const listener of listeners) listener();
  if (show === null) waiting.push(message);
  else show(message);
}
