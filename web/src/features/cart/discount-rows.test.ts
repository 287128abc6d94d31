import { expect, test } from "vitest";
import type { Adjustment } from "../../lib/api.gen";
import { discountsOf } from "./discount-rows";

const adjustment = (promotion: string, amount: number, line?: string): Adjustment => ({
  kind: line === undefined ? "free_delivery" : "percent",
  label: `The ${promotion}`,
  amount,
  promotion,
  ...(line !== undefined && { line }),
});

test("adds up the reductions of each promotion, exactly", () => {
  const adjustments = [
    adjustment("sale", -0.1, "lamp"),
    adjustment("eid", -3, "lamp"),
    adjustment("sale", -0.2, "mug"),
    adjustment("free", -40),
  ];
  expect(discountsOf({ adjustments, currency: "USD" })).toEqual({
    goods: [
      { promotion: "sale", label: "The sale", amount: -0.3 },
      { promotion: "eid", label: "The eid", amount: -3 },
    ],
    delivery: [{ promotion: "free", label: "The free", amount: -40 }],
  });
});

test("names the tax that is not charged", () => {
  const adjustments: Adjustment[] = [
    { kind: "tax_relief", label: "VAT", amount: -13.04, line: "lamp" },
    { kind: "tax_relief", label: "VAT", amount: -5, line: "mug" },
  ];
  expect(discountsOf({ adjustments, currency: "USD" }).goods).toEqual([
    { promotion: "tax VAT", label: "VAT not charged", amount: -18.04 },
  ]);
});

test("without adjustments there are no rows", () => {
  expect(discountsOf({ adjustments: [], currency: "BDT" })).toEqual({ goods: [], delivery: [] });
});
