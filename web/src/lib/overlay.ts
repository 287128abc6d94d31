// Overlay state: panels and dialogs over the page, one at a time, opened from anywhere, loaded on
// first use.
import { useSyncExternalStore } from "react";
import type { ProductCard } from "./api.gen";

export type OverlayName = "cart" | "menu" | "filters" | "quickView";

type State = {
  open: OverlayName | null;
  // Those opened before: they stay mounted, for their animations.
  used: ReadonlySet<OverlayName>;
  product: ProductCard | null;
};

const NONE: State = { open: null, used: new Set(), product: null };

let state = NONE;
let leaving = false;
const listeners = new Set<() => void>();

export function useOverlay(): State {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => NONE,
  );
}

export function openOverlay(name: OverlayName): void {
  leaving = false;
  addEventListener("popstate", closeOverlayForNavigation);
  setState({ ...state, open: name, used: new Set([...state.used, name]) });
}

export function openQuickView(product: ProductCard): void {
  state = { ...state, product };
  openOverlay("quickView");
}

export function closeOverlay(): void {
  removeEventListener("popstate", closeOverlayForNavigation);
  if (state.open !== null) setState({ ...state, open: null });
}

// Closes because the page changes: the new page sets the focus.
export function closeOverlayForNavigation(): void {
  leaving = true;
  closeOverlay();
}

export function returnsFocus(): boolean {
  return !leaving;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setState(next: State): void {
  state = next;
  for (const listener of listeners) listener();
}
