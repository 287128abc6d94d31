// The products of an old order once more: what there is goes into the cart, and the rest is named.
import type { OrderLine, ProductCard } from "../api.gen";
import { ask } from "../ask";
import { cart, type Goods, MOST_OF_ONE } from "../cart";
import { count } from "../text";

export type Shortage = { name: string; reason: string };
export type BoughtAgain = {
  // How many units are in the cart now that were not before.
  added: number;
  missing: Shortage[];
};

export async function buyAgain(lines: OrderLine[]): Promise<BoughtAgain> {
  const ids = lines.map(({ _id }) => encodeURIComponent(_id)).join(",");
  const products = await ask<ProductCard[]>(`/api/products?ids=${ids}`);
  return addAgain(lines, products, cart);
}

type Cart = {
  lines: () => { _id: string; qtn: number }[];
  add: (goods: Goods, quantity: number) => number;
};

export function addAgain(lines: OrderLine[], products: ProductCard[], into: Cart): BoughtAgain {
  const inCart = (id: string) => into.lines().find((line) => line._id === id)?.qtn ?? 0;
  const missing: Shortage[] = [];
  let added = 0;
  for (const { _id, name, qtn } of lines) {
    const product = products.find((one) => one._id === _id);
    if (product === undefined) {
      missing.push({ name, reason: "no longer sold" });
      continue;
    }
    const before = inCart(_id);
    const more = into.add(product, qtn);
    added += more;
    if (more < qtn) missing.push({ name: product.name, reason: why(product.qtn, before, more) });
  }
  return { added, missing };
}

function why(stock: number, before: number, more: number): string {
  if (stock < 1) return "out of stock";
  if (before + more >= MOST_OF_ONE) return `${MOST_OF_ONE} of one product is the most`;
  if (before + more < stock) return "your cart is full";
  return before > 0 ? `only ${stock} left, which are in your cart` : `only ${stock} left`;
}

// As a sentence.
export function saidOf({ added, missing }: BoughtAgain): string {
  const said = added > 0 ? `${count(added, "item is", "items are")} in your cart.` : "";
  const rest = missing.map(({ name, reason }) => `${name} (${reason})`).join(", ");
  const none = added > 0 ? "Not all could be added" : "Nothing could be added";
  return [said, rest === "" ? "" : `${none}: ${rest}.`].filter(Boolean).join(" ");
}
