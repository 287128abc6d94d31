// The discounts of a quote or an order as they are listed: one row for each promotion, and one for a tax that is
// not charged.
import * as m from "messages/cart";
import type { Adjustment, Currency } from "../../lib/api.gen";
import { sum } from "../../lib/money";

export type DiscountRow = {
  // The promotion, or which tax is not charged.
  promotion: string;
  label: string;
  // Below 0.
  amount: number;
};

export type Discounts = {
  goods: DiscountRow[];
  // Of the delivery.
  delivery: DiscountRow[];
};

type Discounted = { adjustments: Adjustment[]; currency: Currency };

export function discountsOf({ adjustments, currency }: Discounted): Discounts {
  const ofLines = adjustments.filter(({ line }) => line != null);
  const ofDelivery = adjustments.filter(({ line }) => line == null);
  return { goods: rows(ofLines, currency), delivery: rows(ofDelivery, currency) };
}

// In the order in which the promotions were applied.
function rows(adjustments: Adjustment[], currency: Currency): DiscountRow[] {
  const promotions = new Map<string, Adjustment[]>();
  for (const one of adjustments)
    promotions.set(keyOf(one), [...(promotions.get(keyOf(one)) ?? []), one]);
  return [...promotions].map(([promotion, all]) => {
    const amounts = all.map(({ amount }) => amount);
    const label = all[0]?.label ?? "";
    return {
      promotion,
      label: all[0]?.promotion == null ? m.taxNotCharged({ tax: label }) : label,
      amount: sum(amounts, currency),
    };
  });
}

function keyOf({ promotion, label }: Adjustment): string {
  return promotion ?? `tax ${label}`;
}
