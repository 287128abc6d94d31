import { expect, test } from "vitest";
import type { PaymentMethod, Terms } from "../../../lib/api.gen";
import { type Cents, format } from "../../../lib/money";
import { deliveryText, returnText } from "./terms";

const TERMS: Terms = {
  delivery: "2–4 days",
  shipping: 40,
  freeDeliveryOver: 99,
  returnDays: 7,
};
const money = (amount: Cents) => format(amount, "USD", 1);
const way = (title: string, enabled = true) =>
  ({ provider: "card", title, enabled }) satisfies PaymentMethod;

test("describes delivery from the settings", () => {
  const said = (terms: Partial<Terms>) => deliveryText({ ...TERMS, ...terms }, money);
  expect(said({})).toBe("Delivery in 2–4 days for $40.00, free over $99.00");
  expect(said({ delivery: null, freeDeliveryOver: null })).toBe("Delivery for $40.00");
  expect(said({ shipping: 0 })).toBe("Delivery in 2–4 days, free");
});

test("describes returns and available payment methods", () => {
  const all = [way("Cash on delivery"), way("PayPal"), way("Google Pay", false)];
  expect(returnText(TERMS, all)).toBe(
    "Return it within 7 days of delivery, pay by cash on delivery or PayPal",
  );
  expect(returnText({ ...TERMS, returnDays: 1 }, [])).toBe("Return it within 1 day of delivery");
  expect(returnText({ ...TERMS, returnDays: 0 }, [])).toBe("No returns");
});
