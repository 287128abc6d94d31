// Reorder: puts the products of an order into the cart, and lists what could not be added.

import { fetchJson } from "../../../lib/api";
import type { OrderLine, ProductCard } from "../../../lib/api.gen";
import { pluralize } from "../../../lib/text";
import { type CartProduct, cart, MAX_QUANTITY } from "../../cart/cart";

type Shortage = { name: string; reason: string };
export type ReorderResult = {
  // How many units were added.
  added: number;
  missing: Shortage[];
};

export async function buyAgain(lines: OrderLine[]): Promise<ReorderResult> {
  const ids = lines.map(({ _id }) => encodeURIComponent(_id)).join(",");
  const products = await fetchJson<ProductCard[]>(`/api/products?ids=${ids}`);
  return addLines(lines, products, cart);
}

type CartStore = {
  lines: () => { _id: string; qtn: number }[];
  add: (product: CartProduct, quantity: number) => number;
};

export function addLines(
  lines: OrderLine[],
  products: ProductCard[],
  into: CartStore,
): ReorderResult {
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
  if (before + more >= MAX_QUANTITY) return `${MAX_QUANTITY} of one product is the most`;
  if (before + more < stock) return "your cart is full";
  return before > 0 ? `only ${stock} left, which are in your cart` : `only ${stock} left`;
}

export function reorderMessage({ added, missing }: ReorderResult): string {
  const success = added > 0 ? `${pluralize(added, "item is", "items are")} in your cart.` : "";
  const rest = missing.map(({ name, reason }) => `${name} (${reason})`).join(", ");
  const none = added > 0 ? "Not all could be added" : "Nothing could be added";
  return [success, rest === "" ? "" : `${none}: ${rest}.`].filter(Boolean).join(" ");
}
