import { lazy, Suspense } from "react";
import type { Page } from "../lib/api.gen";
import { useOverlay } from "../lib/overlay";

const CartPanel = lazy(() => import("./cart-panel"));
const MenuPanel = lazy(() => import("./menu-panel"));
const QuickView = lazy(() => import("./quick-view"));

export function Overlays({ page }: { page: Page }) {
  const { open, used, product } = useOverlay();
  return (
    <Suspense fallback={null}>
      {used.has("cart") && <CartPanel open={open === "cart"} />}
      {used.has("menu") && <MenuPanel open={open === "menu"} page={page} />}
      {product && <QuickView key={product._id} open={open === "quickView"} card={product} />}
    </Suspense>
  );
}
