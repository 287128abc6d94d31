import { expect, test } from "vitest";
import { spendable, whatFor } from "./credit";
import type { Cents } from "./money";

test("credit pays as much as there is, and no more than there is to pay", () => {
  const pays = (balance: number, total: number) => spendable(balance as Cents, total as Cents);
  expect([pays(0, 500), pays(200, 500), pays(500, 500), pays(900, 500)]).toEqual([
    0, 200, 500, 500,
  ]);
});

test("an entry says what it is for", () => {
  expect(whatFor({ kind: "spent", note: "" })).toBe("Paid for order");
  expect(whatFor({ kind: "granted", note: "For the trouble" })).toBe("For the trouble");
  expect(whatFor({ kind: "granted", note: "" })).toBe("From the shop");
});
