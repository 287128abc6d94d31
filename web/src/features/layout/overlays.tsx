import { Suspense, useEffect, useState } from "react";
import type { Page } from "../../lib/api.gen";
import { preferredLanguage } from "../../lib/language";
import { lazyComponent } from "../../lib/lazy";
import { useOverlay } from "../../lib/overlay";

const CartPanel = lazyComponent(() => import("../cart/cart-panel"));
const FilterPanel = lazyComponent(() => import("../search/filter-panel"));
const LanguageOffer = lazyComponent(() => import("./internal/language-offer"));
const MenuPanel = lazyComponent(() => import("./internal/menu-panel"));
const QuickView = lazyComponent(() => import("../catalog/quick-view"));

export function Overlays({ page }: { page: Page }) {
  const { open, used, product } = useOverlay();
  const [offered, setOffered] = useState<string | null>(null);
  useEffect(() => setOffered(preferredLanguage()), []);
  return (
    <Suspense fallback={null}>
      {used.has("cart") && <CartPanel open={open === "cart"} />}
      {used.has("menu") && <MenuPanel open={open === "menu"} page={page} />}
      {used.has("filters") && (page.page === "category" || page.page === "search") && (
        <FilterPanel open={open === "filters"} page={page} />
      )}
      {offered !== null && <LanguageOffer page={page} offered={offered} />}
      {product && <QuickView key={product._id} open={open === "quickView"} card={product} />}
    </Suspense>
  );
}
