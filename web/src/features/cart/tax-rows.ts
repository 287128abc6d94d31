// The taxes of a quote or an order as they are listed.
import * as m from "messages/cart";
import type { TaxSum } from "../../lib/api.gen";
import { digits } from "../../lib/numbers";

export type TaxRow = { name: string; amount: number };

export type TaxRows = {
  // Added to the prices.
  added: TaxRow[];
  // Part of the prices.
  included: TaxRow[];
};

export function taxesOf({ taxes, vat }: { taxes: TaxSum[]; vat: number }): TaxRows {
  if (taxes.length === 0) return { added: [{ name: m.vat(), amount: vat }], included: [] };
  const row = (sum: TaxSum) => ({ name: taxName(sum), amount: sum.amount });
  return {
    added: taxes.filter(({ included }) => !included).map(row),
    included: taxes.filter(({ included }) => included).map(row),
  };
}

function taxName({ label: tax, rate, included, relief }: TaxSum): string {
  if (relief === "export") return m.taxOfExport({ tax });
  if (relief === "exempt") return m.taxOfExempt({ tax });
  const percent = digits(rate);
  return included ? m.taxIncluded({ tax, percent }) : m.taxAt({ tax, percent });
}
