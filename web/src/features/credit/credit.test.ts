import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import type { CreditEntry } from "../../lib/api.gen";
import { setLanguage } from "../../lib/language";
import type { Cents } from "../../lib/money";
import { entryText, spendable } from "./credit";

afterEach(() => setLanguage({ language: "en", shop: { languages: ["en"] } }));

test("credit pays as much as there is, and no more than the total", () => {
  const pays = (balance: number, total: number) => spendable(balance as Cents, total as Cents);
  expect([pays(0, 500), pays(200, 500), pays(500, 500), pays(900, 500)]).toEqual([
    0, 200, 500, 500,
  ]);
});

test("describes an entry", () => {
  const told = (kind: CreditEntry["kind"], note = "") =>
    renderToStaticMarkup(entryText({ kind, note }, () => "7K3M-9QXF"));
  expect(told("spent")).toBe("Paid for order 7K3M-9QXF");
  expect(told("granted", "For the trouble")).toBe("For the trouble");
  expect(told("granted")).toBe("From the shop");
  setLanguage({ language: "bn", shop: { languages: ["en", "bn"] } });
  expect(told("spent")).toBe("অর্ডার 7K3M-9QXF-এর দাম");
});
