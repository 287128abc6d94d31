import type { ProductCard as Card } from "../lib/api.gen";
import { ProductCard } from "./product-card";
import styles from "./product-grid.module.css";

const FIRST_ROW = 4;

// `leads`: the grid starts in sight, so its first row does not wait.
export function ProductGrid({ products, leads = false }: { products: Card[]; leads?: boolean }) {
  return (
    <ul className={styles.grid}>
      {products.map((product, at) => (
        <ProductCard
          key={product._id}
          product={product}
          loading={!leads || at >= FIRST_ROW ? "lazy" : at === 0 ? "first" : "eager"}
        />
      ))}
    </ul>
  );
}
