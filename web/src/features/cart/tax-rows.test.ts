import { expect, test } from "vitest";
import type { TaxSum } from "../../lib/api.gen";
import { taxesOf } from "./tax-rows";

const sum = (one: Partial<TaxSum>): TaxSum => ({
  label: "VAT",
  rate: 15,
  net: 100,
  amount: 15,
  included: false,
  ...one,
});

test("without rates there is the flat amount", () => {
  expect(taxesOf({ taxes: [], vat: 120 })).toEqual({
    added: [{ name: "Vat", amount: 120 }],
    included: [],
  });
});

test("says the rate, whether it is part of the prices, and why nothing is charged", () => {
  const taxes = [
    sum({ rate: 7.5, amount: 7.5 }),
    sum({ included: true }),
    sum({ rate: 0, amount: 0, relief: "export" }),
    sum({ rate: 0, amount: 0, relief: "exempt" }),
  ];
  expect(taxesOf({ taxes, vat: 7.5 })).toEqual({
    added: [
      { name: "VAT 7.5%", amount: 7.5 },
      { name: "VAT 0% (export)", amount: 0 },
      { name: "VAT 0% (tax exempt)", amount: 0 },
    ],
    included: [{ name: "Includes VAT 15%", amount: 15 }],
  });
});
