import { expect, test } from "vitest";
import type { BuyingTerms, PaymentMethod, PaymentProvider } from "../../../lib/api.gen";
import { format } from "../../../lib/money";
import { deliveryText, returnText } from "./terms";

const TERMS: BuyingTerms = {
  delivery: { least: 2, most: 4 },
  shipping: 40,
  freeDeliveryOver: 99,
  returnDays: 7,
  includedTaxes: [],
  lowestPriceDays: 0,
};
const money = (amount: number) => format(amount, "USD");
const way = (provider: PaymentProvider, enabled = true): PaymentMethod => ({
  provider,
  title: provider,
  enabled,
  amounts: enabled ? [{ currency: "USD", min: null, max: null }] : [],
});

test("describes delivery from the settings", () => {
  const said = (terms: Partial<BuyingTerms>) => deliveryText({ ...TERMS, ...terms }, money);
  expect(said({})).toBe("Delivery in 2–4 days for $40.00, free over $99.00");
  expect(said({ delivery: null, freeDeliveryOver: null })).toBe("Delivery for $40.00");
  expect(said({ delivery: { least: 1, most: 1 } })).toMatch(/^Delivery in 1 day for/);
  expect(said({ shipping: 0 })).toBe("Delivery in 2–4 days, free");
  expect(said({ shipping: null })).toBe("Delivery in 2–4 days");
});

test("describes returns and available payment methods", () => {
  const all = [way("cash_on_delivery"), way("paypal"), way("google_pay", false)];
  const shop = (payments: PaymentMethod[], currency = "USD") => ({ payments, currency });
  expect(returnText(TERMS, shop(all))).toBe(
    "Return it within 7 days of delivery, pay by cash on delivery or PayPal",
  );
  const none = shop([]);
  expect(returnText({ ...TERMS, returnDays: 1 }, none)).toBe("Return it within 1 day of delivery");
  expect(returnText({ ...TERMS, returnDays: 0 }, none)).toBe("No returns");
  // Nothing that does not take the currency of the page.
  expect(returnText({ ...TERMS, returnDays: 0 }, shop(all, "BDT"))).toBe("No returns");
});
