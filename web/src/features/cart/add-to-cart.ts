// Adds products to the cart and shows a toast about it.

import { pluralize } from "../../lib/text";
import { toast } from "../../lib/toast";
import { wishlist } from "../wishlist/wishlist";
import { type CartProduct, cart, MAX_QUANTITY } from "./cart";

export function addToCart(product: CartProduct, quantity = 1): void {
  const added = cart.add(product, quantity);
  if (added === quantity) toast.success("Successfully add your item!");
  else if (added === 0) toast.error(reasonNotAdded(product));
  else toast.error(`${added} of ${quantity} added. ${reasonNotAdded(product)}`);
}

// Moves one of each from the wishlist into the cart. What cannot be added stays.
export function moveToCart(products: CartProduct[]): void {
  const moved = products.filter((product) => cart.add(product) > 0);
  for (const { _id } of moved) wishlist.remove(_id);
  const [first] = products;
  if (moved.length > 0)
    toast.success(`${pluralize(moved.length, "product", "products")} in your cart now.`);
  else if (first) toast.error(reasonNotAdded(first));
}

function reasonNotAdded({ _id, qtn: stock }: CartProduct): string {
  if (stock < 1) return "This is out of stock.";
  const mine = cart.lines().find((line) => line._id === _id)?.qtn ?? 0;
  if (mine >= MAX_QUANTITY) return `${MAX_QUANTITY} of one product is the most.`;
  if (mine >= stock) return `There are only ${stock}, and they are in your cart.`;
  return "Your cart is full.";
}
