import * as common from "messages/common";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Product, Variant } from "../../lib/api.gen";
import { fieldLang } from "../../lib/language";
import { Button } from "../../ui/button";
import { addToCart } from "../cart/add-to-cart";
import { type CartProduct, obtainable } from "../cart/cart";
import styles from "./buy-bar.module.css";
import { Price } from "./price";

type Props = {
  product: Pick<Product, "name" | "untranslated">;
  price: Pick<Variant, "realPrice" | "buyPrice">;
  // Null: what was chosen does not exist.
  item: CartProduct | null;
};

// On a phone, a fixed bar with the button while the one in the page is out of view. Placed right
// below the button that it observes.
export function BuyBar({ product, price, item }: Props) {
  const watched = useRef<HTMLDivElement>(null);
  const [away, setAway] = useState(false);
  // A bar that disappears under the keyboard's focus would lose it.
  const [focused, setFocused] = useState(false);
  const shown = (away || focused) && item !== null && obtainable(item) > 0;

  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => {
      if (entry) setAway(!entry.isIntersecting);
    });
    if (watched.current) watcher.observe(watched.current);
    return () => watcher.disconnect();
  }, []);

  useLayoutEffect(() => {
    if (!shown) return;
    const root = document.documentElement;
    root.toggleAttribute("data-bar", true);
    return () => void root.toggleAttribute("data-bar", false);
  }, [shown]);

  return (
    <div ref={watched}>
      {shown && (
        <div className={styles.bar}>
          <span className={styles.name} lang={fieldLang(product, "name")}>
            {product.name}
          </span>
          <div className={styles.chosen}>
            <Price real={price.realPrice} buy={price.buyPrice} />
            <span>{Object.values(item.options ?? {}).join(", ")}</span>
          </div>
          <Button
            onClick={() => addToCart(item)}
            onFocus={(event) => setFocused(event.target.matches(":focus-visible"))}
            onBlur={() => setFocused(false)}
          >
            {common.addToCart()}
          </Button>
        </div>
      )}
    </div>
  );
}
