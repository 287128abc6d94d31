// Overlay state: panels and dialogs over the page, one at a time, opened from anywhere, loaded on
// first use.
import type { ProductCard, VariantCard } from "./api.gen";
import { createStore, useStore } from "./store";

// A product, or one of its variants, as a card shows it.
export type Card = ProductCard & Partial<Pick<VariantCard, "product" | "options">>;

type OverlayName = "cart" | "menu" | "filters" | "quickView";

type State = {
  open: OverlayName | null;
  // Those opened before: they stay mounted, for their animations.
  used: ReadonlySet<OverlayName>;
  product: Card | null;
};

const store = createStore<State>({ open: null, used: new Set(), product: null });
let leaving = false;

export function useOverlay(): State {
  return useStore(store);
}

export function openOverlay(name: OverlayName, product = store.get().product): void {
  leaving = false;
  addEventListener("popstate", closeOverlayForNavigation);
  store.set({ open: name, used: new Set([...store.get().used, name]), product });
}

export function openQuickView(product: Card): void {
  openOverlay("quickView", product);
}

export function closeOverlay(): void {
  removeEventListener("popstate", closeOverlayForNavigation);
  const state = store.get();
  if (state.open !== null) store.set({ ...state, open: null });
}

// Closes because the page changes: the new page sets the focus.
export function closeOverlayForNavigation(): void {
  leaving = true;
  closeOverlay();
}

export function returnsFocus(): boolean {
  return !leaving;
}
