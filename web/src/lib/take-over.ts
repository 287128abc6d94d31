// A file of its own that first.js runs in a task of its own (vite.config.ts names it): React wakes
// when it is first called for, and together with the first page that would hold up a touch.
import { type ReactNode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";

export function takeOver(root: HTMLElement, shop: ReactNode): void {
  if (root.firstChild === null) {
    // The server could not render this page and sent its data alone. The title that it had until now
    // would stay before React's own, and be the document's on every page to come.
    document.querySelector("head title")?.remove();
    createRoot(root).render(shop);
  } else {
    // Nothing waits for React to take over, so it does so a little at a time and lets touches through.
    startTransition(() => void hydrateRoot(root, shop));
  }
}
