import * as common from "messages/common";
import { useState } from "react";
import type { ProductCard } from "../../lib/api.gen";
import { Button } from "../../ui/button";
import { addToCart } from "../cart/add-to-cart";
import { Quantity } from "../cart/quantity";
import { StockAlertForm } from "../messages/stock-alert-form";
import { WishlistButton } from "../wishlist/wishlist-button";
import styles from "./buy-box.module.css";

// The quantity and the button that adds to the cart.
export function BuyBox({ product }: { product: ProductCard }) {
  const [quantity, setQuantity] = useState(1);
  const gone = product.qtn === 0;
  return (
    <>
      <div className={`with-js ${styles.box}`}>
        {!gone && (
          <Quantity of={product.name} value={quantity} stock={product.qtn} onChange={setQuantity} />
        )}
        <WishlistButton id={product._id} name={product.name} />
        <span className={styles.button}>
          <Button disabled={gone} onClick={() => addToCart(product, quantity)}>
            {gone ? common.outOfStock() : common.addToCart()}
          </Button>
        </span>
      </div>
      {gone && <StockAlertForm product={product._id} />}
      <p className={`without-js ${styles.without}`}>{common.cartNeedsJavaScript()}</p>
    </>
  );
}
