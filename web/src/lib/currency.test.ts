import { afterEach, expect, test, vi } from "vitest";
import { chosenCurrency, setCurrency, shownCurrency } from "./currency";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["", "USD"],
  ["currency=BDT", "BDT"],
  ["a=b; currency=BDT; language=bn", "BDT"],
  ["currency=USD", "USD"],
  // Withdrawn, and no currency at all.
  ["currency=EUR", "USD"],
  ["currency=<script>", "USD"],
  ["othercurrency=BDT", "USD"],
])("with the cookie %o the next page is in %s", (cookie, chosen) => {
  vi.stubGlobal("document", { cookie });
  setCurrency({ currency: "BDT", currencies: ["USD", "BDT"] });
  expect(chosenCurrency()).toBe(chosen);
  expect(shownCurrency()).toBe("BDT");
});
