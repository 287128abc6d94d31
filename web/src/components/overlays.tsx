import { Suspense } from "react";
import type { Page } from "../lib/api.gen";
import { useOverlay } from "../lib/overlay";
import { lazyPiece } from "../lib/pieces";

const CartPanel = lazyPiece(() => import("./cart-panel"));
const FilterPanel = lazyPiece(() => import("./finding/filter-panel"));
const MenuPanel = lazyPiece(() => import("./menu-panel"));
const QuickView = lazyPiece(() => import("./quick-view"));

export function Overlays({ page }: { page: Page }) {
  const { open, used, product } = useOverlay();
  return (
    <Suspense fallback={null}>
      {used.has("cart") && <CartPanel open={open === "cart"} />}
      {used.has("menu") && <MenuPanel open={open === "menu"} page={page} />}
      {used.has("filters") && (page.page === "category" || page.page === "search") && (
        <FilterPanel open={open === "filters"} page={page} />
      )}
      {product && <QuickView key={product._id} open={open === "quickView"} card={product} />}
    </Suspense>
  );
}
