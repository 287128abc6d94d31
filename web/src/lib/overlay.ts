// What lies over the page: one at a time, opened from anywhere, its code loaded when it is first
// wanted.
import { useSyncExternalStore } from "react";
import type { ProductCard } from "./api.gen";

export type OverlayName = "cart" | "menu" | "filters" | "quickView";

type State = {
  open: OverlayName | null;
  // Those that have been open: they stay, to slide out and in again.
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
  addEventListener("popstate", leaveOverlay);
  show({ ...state, open: name, used: new Set([...state.used, name]) });
}

export function openQuickView(product: ProductCard): void {
  state = { ...state, product };
  openOverlay("quickView");
}

export function closeOverlay(): void {
  removeEventListener("popstate", leaveOverlay);
  if (state.open !== null) show({ ...state, open: null });
}

// Closed because the page goes: the next page says where the focus is.
export function leaveOverlay(): void {
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

function show(next: State): void {
  state = next;
  for (const listener of listeners) listener();
}
