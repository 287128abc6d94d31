import { useState } from "react";
import type { ProductCard } from "../lib/api.gen";
import { buy } from "../lib/buying";
import { Button } from "../ui/button";
import { BackInStock } from "./back-in-stock";
import styles from "./buy-box.module.css";
import { Quantity } from "./quantity";
import { WishButton } from "./wish-button";

// How many, and the one button that it is all about.
export function BuyBox({ product }: { product: ProductCard }) {
  const [quantity, setQuantity] = useState(1);
  const gone = product.qtn === 0;
  return (
    <>
      <div className={`with-js ${styles.box}`}>
        {!gone && (
          <Quantity of={product.name} value={quantity} stock={product.qtn} onChange={setQuantity} />
        )}
        <WishButton id={product._id} name={product.name} />
        <span className={styles.button}>
          <Button disabled={gone} onClick={() => buy(product, quantity)}>
            {gone ? "Out of stock" : "Add to cart"}
          </Button>
        </span>
      </div>
      {gone && <BackInStock product={product._id} />}
      <p className={`without-js ${styles.without}`}>The cart needs JavaScript.</p>
    </>
  );
}
