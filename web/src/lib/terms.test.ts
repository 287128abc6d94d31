import { expect, test } from "vitest";
import type { PaymentMethod, Terms } from "./api.gen";
import { type Cents, format } from "./money";
import { deliveryWords, returnWords } from "./terms";

const TERMS: Terms = {
  delivery: "2–4 days",
  shipping: 40,
  freeDeliveryOver: 99,
  returnDays: 7,
};
const money = (amount: Cents) => format(amount, "USD", 1);
const way = (title: string, enabled = true) =>
  ({ provider: "card", title, enabled }) satisfies PaymentMethod;

test("delivery is said as the settings have it", () => {
  const said = (terms: Partial<Terms>) => deliveryWords({ ...TERMS, ...terms }, money);
  expect(said({})).toBe("Delivery in 2–4 days for $40.00, free over $99.00");
  expect(said({ delivery: null, freeDeliveryOver: null })).toBe("Delivery for $40.00");
  expect(said({ shipping: 0 })).toBe("Delivery in 2–4 days, free");
});

test("returns and the ways to pay that work", () => {
  const all = [way("Cash on delivery"), way("PayPal"), way("Google Pay", false)];
  expect(returnWords(TERMS, all)).toBe(
    "Return it within 7 days of delivery, pay by cash on delivery or PayPal",
  );
  expect(returnWords({ ...TERMS, returnDays: 1 }, [])).toBe("Return it within 1 day of delivery");
  expect(returnWords({ ...TERMS, returnDays: 0 }, [])).toBe("No returns");
});
