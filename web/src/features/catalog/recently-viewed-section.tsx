import * as m from "messages/catalog";
import { useEffect, useState } from "react";
import { Section } from "../../ui/section";
import { recordViewed } from "./internal/recently-viewed";
import { ProductGrid } from "./product-grid";
import { useProducts } from "./use-products";

const MOST_SHOWN = 4;

// Products viewed before this one. Last on the page, so that nothing moves when it loads.
export function RecentlyViewed({ except }: { except: string }) {
  // The list on arrival: it does not change while the page is open.
  const [before, setBefore] = useState<string[] | null>(null);
  useEffect(() => {
    const seen = recordViewed(except);
    if (seen.length > 0) setBefore(seen.slice(0, MOST_SHOWN));
  }, [except]);
  const { products } = useProducts(before);
  if (products === null || products.length === 0) return null;
  return (
    <Section id="seen" title={m.recentlySeen()}>
      <ProductGrid products={products} />
    </Section>
  );
}
