import { expect, test } from "vitest";
import type { Cents } from "../../lib/money";
import { entryText, spendable } from "./credit";

test("credit pays as much as there is, and no more than the total", () => {
  const pays = (balance: number, total: number) => spendable(balance as Cents, total as Cents);
  expect([pays(0, 500), pays(200, 500), pays(500, 500), pays(900, 500)]).toEqual([
    0, 200, 500, 500,
  ]);
});

test("describes an entry", () => {
  expect(entryText({ kind: "spent", note: "" })).toBe("Paid for order");
  expect(entryText({ kind: "granted", note: "For the trouble" })).toBe("For the trouble");
  expect(entryText({ kind: "granted", note: "" })).toBe("From the shop");
});
