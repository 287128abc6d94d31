// Hydration. A chunk of its own (vite.config.ts), which bootstrap.js runs in a separate task: React
// initialises on its first call, and together with the first page that would delay input.
import { type ReactNode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";

export function hydrate(root: HTMLElement, shop: ReactNode): void {
  if (root.firstChild === null) {
    // Server rendering failed and only the data was sent. The title in the document would stay
    // before React's own, and be the document's title on every later page.
    document.querySelector("head title")?.remove();
    createRoot(root).render(shop);
  } else {
    // A transition, so that React hydrates in slices and input is handled in between.
    startTransition(() => void hydrateRoot(root, shop));
  }
}
