// Reorder: puts the products of an order into the cart, and lists what could not be added.

import * as m from "messages/orders";
import { fetchJson } from "../../../lib/api";
import type { OrderLine, ProductCard } from "../../../lib/api.gen";
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
      missing.push({ name, reason: m.noLongerSold() });
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
  if (stock < 1) return m.notInStock();
  if (before + more >= MAX_QUANTITY) return m.mostOfOne({ most: MAX_QUANTITY });
  if (before + more < stock) return m.cartFull();
  return before > 0 ? m.onlyLeftInCart({ stock }) : m.onlyLeft({ stock });
}

export function reorderMessage({ added, missing }: ReorderResult): string {
  const success = added > 0 ? m.inCart({ count: added }) : "";
  const rest = missing.map(m.shortage).join(", ");
  const failure = added > 0 ? m.notAllAdded({ rest }) : m.nothingAdded({ rest });
  return [success, rest === "" ? "" : failure].filter(Boolean).join(" ");
}
