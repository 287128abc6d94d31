import * as m from "messages/catalog";
import * as common from "messages/common";
import { useState } from "react";
import { Button } from "../../ui/button";
import { addToCart } from "../cart/add-to-cart";
import { type CartProduct, obtainable } from "../cart/cart";
import { Quantity } from "../cart/quantity";
import { StockAlertForm } from "../messages/stock-alert-form";
import { WishlistButton } from "../wishlist/wishlist-button";
import styles from "./buy-box.module.css";
import { variantName } from "./variant-options";

type Props = {
  // Null: what was chosen does not exist, or has not been loaded.
  item: CartProduct | null;
  loading?: boolean;
};

// The quantity and the button that adds to the cart.
export function BuyBox({ item, loading = false }: Props) {
  const [quantity, setQuantity] = useState(1);
  const stock = item === null ? 0 : obtainable(item);
  const chosen = Math.min(quantity, Math.max(stock, 1));
  return (
    <>
      <div className={`with-js ${styles.box}`}>
        {item !== null && stock > 0 && (
          <Quantity
            key={item._id}
            of={variantName(item)}
            value={chosen}
            stock={stock}
            onChange={setQuantity}
          />
        )}
        {item !== null && <WishlistButton id={item._id} name={variantName(item)} />}
        <span className={styles.button}>
          {item !== null && stock > 0 ? (
            <Button onClick={() => addToCart(item, chosen)}>{common.addToCart()}</Button>
          ) : (
            <Button disabled aria-busy={loading}>
              {reason(item, loading)}
            </Button>
          )}
        </span>
      </div>
      {item !== null && stock === 0 && <StockAlertForm key={item._id} product={item._id} />}
      <p className={`without-js ${styles.without}`}>{common.cartNeedsJavaScript()}</p>
    </>
  );
}

function reason(item: CartProduct | null, loading: boolean): string {
  if (loading) return common.addToCart();
  return item === null ? m.unavailable() : common.outOfStock();
}
