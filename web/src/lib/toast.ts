// Toast messages. The component that renders them is loaded with the first one.
import { createStore, useStore } from "./store";

type ToastMessage = { kind: "success" | "error"; text: string };
type ToastRenderer = (message: ToastMessage) => void;

const needed = createStore(false);
let render: ToastRenderer | null = null;
let queue: ToastMessage[] = [];

export const toast = {
  success: (text: string) => push({ kind: "success", text }),
  error: (text: string) => push({ kind: "error", text }),
};

// Whether there has been a message yet.
export function useToastsNeeded(): boolean {
  return useStore(needed);
}

// Sets the renderer and hands it the queued messages, so that each is shown for its full time
// however long the code took to load.
export function setToastRenderer(renderer: ToastRenderer): () => void {
  render = renderer;
  queue.forEach(renderer);
  queue = [];
  return () => {
    render = null;
  };
}

function push(message: ToastMessage): void {
  needed.set(true);
  if (render === null) queue.push(message);
  else render(message);
}
