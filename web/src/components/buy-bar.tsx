import { useEffect, useRef, useState } from "react";
import type { ProductCard } from "../lib/api.gen";
import { buy } from "../lib/buying";
import { Button } from "../ui/button";
import styles from "./buy-bar.module.css";
import { Price } from "./price";

// On a phone: the button again while the first one is out of sight. Stands right below what it
// watches.
export function BuyBar({ product }: { product: ProductCard }) {
  const watched = useRef<HTMLDivElement>(null);
  const [away, setAway] = useState(false);

  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => {
      if (entry) setAway(!entry.isIntersecting);
    });
    if (watched.current) watcher.observe(watched.current);
    return () => watcher.disconnect();
  }, []);

  return (
    <div ref={watched}>
      {away && product.qtn > 0 && (
        <div className={styles.bar}>
          <span className={styles.name}>{product.name}</span>
          <Price real={product.realPrice} buy={product.buyPrice} />
          <Button onClick={() => buy(product)}>Add to cart</Button>
        </div>
      )}
    </div>
  );
}
