// Adds products to the cart and shows a toast about it.

import * as m from "messages/cart";
import { toast } from "../../lib/toast";
import { wishlist } from "../wishlist/wishlist";
import { type CartProduct, cart, MAX_QUANTITY, obtainable } from "./cart";

export function addToCart(product: CartProduct, quantity = 1): void {
  const added = cart.add(product, quantity);
  if (added === quantity) toast.success(m.added());
  else if (added === 0) toast.error(reasonNotAdded(product));
  else toast.error(m.partlyAdded({ added, wanted: quantity, reason: reasonNotAdded(product) }));
}

// Moves one of each from the wishlist into the cart. What cannot be added stays.
export function moveToCart(products: CartProduct[]): void {
  const moved = products.filter((product) => cart.add(product) > 0);
  for (const { _id } of moved) wishlist.remove(_id);
  const [first] = products;
  if (moved.length > 0) toast.success(m.moved({ count: moved.length }));
  else if (first) toast.error(reasonNotAdded(first));
}

function reasonNotAdded(product: CartProduct): string {
  const stock = obtainable(product);
  if (stock < 1) return m.notInStock();
  const mine = cart.lines().find((line) => line._id === product._id)?.qtn ?? 0;
  if (mine >= MAX_QUANTITY) return m.mostOfOne({ most: MAX_QUANTITY });
  if (mine >= stock) return m.onlyInCart({ stock });
  return m.full();
}
