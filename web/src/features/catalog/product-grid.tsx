import type { ReactNode } from "react";
import { HydrationBoundary } from "../../ui/hydration-boundary";
import { type ListedProduct, ProductCard } from "./product-card";
import styles from "./product-grid.module.css";

const FIRST_ROW = 4;
// Two, three or four columns.
const SIZES = "(min-width: 86rem) 302px, (min-width: 64rem) 22vw, (min-width: 48rem) 29vw, 45vw";
// One column fewer beside the filters, which leaves the cards about as wide.
const SIZES_BESIDE =
  "(min-width: 86rem) 309px, (min-width: 64rem) 22vw, (min-width: 48rem) 29vw, 45vw";

type Props = {
  products: ListedProduct[];
  // The grid is in view at the start: its first row loads eagerly.
  leads?: boolean;
  // There is a sidebar beside it.
  beside?: boolean;
  // The page's own action for each product.
  action?: (product: ListedProduct) => ReactNode;
};

export function ProductGrid({ products, leads = false, beside = false, action }: Props) {
  return (
    <ul className={styles.grid} data-beside={beside || undefined}>
      <HydrationBoundary>
        {products.map((product, at) => (
          <ProductCard
            key={product._id}
            product={product}
            action={action?.(product)}
            sizes={beside ? SIZES_BESIDE : SIZES}
            loading={!leads || at >= FIRST_ROW ? "lazy" : at === 0 ? "first" : "eager"}
          />
        ))}
      </HydrationBoundary>
    </ul>
  );
}
