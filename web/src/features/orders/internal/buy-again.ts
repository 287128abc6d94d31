// Reorder: puts the variants of an order into the cart, and lists what could not be added.

import * as m from "messages/orders";
import { fetchJson } from "../../../lib/api";
import type { OrderLine, VariantCard } from "../../../lib/api.gen";
import { type CartProduct, cart, MAX_QUANTITY, obtainable } from "../../cart/cart";
import { variantName } from "../../catalog/variant-options";

type Shortage = { name: string; reason: string };
export type ReorderResult = {
  // How many units were added.
  added: number;
  missing: Shortage[];
};

export async function buyAgain(lines: OrderLine[]): Promise<ReorderResult> {
  const ids = lines.map(({ _id }) => encodeURIComponent(_id)).join(",");
  const variants = await fetchJson<VariantCard[]>(`/api/variants?ids=${ids}`);
  return addLines(lines, variants, cart);
}

type CartStore = {
  lines: () => { _id: string; qtn: number }[];
  add: (product: CartProduct, quantity: number) => number;
};

export function addLines(
  lines: OrderLine[],
  variants: VariantCard[],
  into: CartStore,
): ReorderResult {
  const inCart = (id: string) => into.lines().find((line) => line._id === id)?.qtn ?? 0;
  const missing: Shortage[] = [];
  let added = 0;
  for (const line of lines) {
    const { _id, qtn } = line;
    const variant = variants.find((one) => one._id === _id);
    if (variant === undefined) {
      missing.push({ name: variantName(line), reason: m.noLongerSold() });
      continue;
    }
    const before = inCart(_id);
    const more = into.add(variant, qtn);
    added += more;
    const reason = why(obtainable(variant), before, more);
    if (more < qtn) missing.push({ name: variantName(variant), reason });
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
