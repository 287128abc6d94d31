import type { ReactNode } from "react";
import { Apart } from "../ui/apart";
import { type Found, ProductCard } from "./product-card";
import styles from "./product-grid.module.css";

const FIRST_ROW = 4;
// Two, three or four in a row.
const SIZES = "(min-width: 86rem) 302px, (min-width: 64rem) 22vw, (min-width: 48rem) 29vw, 45vw";
// One less beside the filters, which leaves them about as wide.
const SIZES_BESIDE =
  "(min-width: 86rem) 309px, (min-width: 64rem) 22vw, (min-width: 48rem) 29vw, 45vw";

type Props = {
  products: Found[];
  // It starts in sight, so its first row does not wait.
  leads?: boolean;
  // Something stands beside it where there is room.
  beside?: boolean;
  // What can be done with each, where that is what the page is for.
  deed?: (product: Found) => ReactNode;
};

export function ProductGrid({ products, leads = false, beside = false, deed }: Props) {
  return (
    <ul className={styles.grid} data-beside={beside || undefined}>
      <Apart>
        {products.map((product, at) => (
          <ProductCard
            key={product._id}
            product={product}
            deed={deed?.(product)}
            sizes={beside ? SIZES_BESIDE : SIZES}
            loading={!leads || at >= FIRST_ROW ? "lazy" : at === 0 ? "first" : "eager"}
          />
        ))}
      </Apart>
    </ul>
  );
}
