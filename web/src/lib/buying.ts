// Putting something into the cart, with the word that is said about it.
import { cart, type Goods, MOST_OF_ONE } from "./cart";
import { count } from "./text";
import { toast } from "./toast";
import { wishlist } from "./wishlist";

export function buy(goods: Goods, quantity = 1): void {
  const added = cart.add(goods, quantity);
  if (added === quantity) toast.success("Successfully add your item!");
  else if (added === 0) toast.error(whyNot(goods));
  else toast.error(`${added} of ${quantity} added. ${whyNot(goods)}`);
}

// From the wishlist into the cart, one of each. What does not go in stays where it is.
export function move(products: Goods[]): void {
  const moved = products.filter((goods) => cart.add(goods) > 0);
  for (const { _id } of moved) wishlist.remove(_id);
  const [first] = products;
  if (moved.length > 0)
    toast.success(`${count(moved.length, "product", "products")} in your cart now.`);
  else if (first) toast.error(whyNot(first));
}

function whyNot({ _id, qtn: stock }: Goods): string {
  if (stock < 1) return "This is out of stock.";
  const mine = cart.lines().find((line) => line._id === _id)?.qtn ?? 0;
  if (mine >= MOST_OF_ONE) return `${MOST_OF_ONE} of one product is the most.`;
  if (mine >= stock) return `There are only ${stock}, and they are in your cart.`;
  return "Your cart is full.";
}
