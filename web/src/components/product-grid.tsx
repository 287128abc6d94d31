import type { ProductCard as Card } from "../lib/api.gen";
import { Apart } from "../ui/apart";
import { ProductCard } from "./product-card";
import styles from "./product-grid.module.css";

const FIRST_ROW = 4;
// Two, three or four in a row.
const SIZES = "(min-width: 86rem) 302px, (min-width: 64rem) 22vw, (min-width: 48rem) 29vw, 45vw";

// `leads`: the grid starts in sight, so its first row does not wait.
export function ProductGrid({ products, leads = false }: { products: Card[]; leads?: boolean }) {
  return (
    <ul className={styles.grid}>
      <Apart>
        {products.map((product, at) => (
          <ProductCard
            key={product._id}
            product={product}
            sizes={SIZES}
            loading={!leads || at >= FIRST_ROW ? "lazy" : at === 0 ? "first" : "eager"}
          />
        ))}
      </Apart>
    </ul>
  );
}
