import { expect, test } from "vitest";
import { failureReason } from "./failure-reason";
import { payProps, payStates } from "./pay-samples";
import {
  isPolled,
  minutesLeft,
  moneyOfCancelled,
  payState,
  pollDelay,
  takesLong,
} from "./pay-state";
import { said } from "./pay-texts";

const stateOf = (name: string) => payState(payProps(payStates[name]));

test.each([
  ["awaiting", "awaiting"],
  ["back from the provider", "asking"],
  ["processing", "processing"],
  ["failed: card_declined", "failed"],
  ["expired", "expired"],
  ["cancelled", "cancelled"],
  ["cancelled and paid back", "cancelled"],
  ["authorised", "authorised"],
  ["paid", "paid"],
  ["paid and shipped", "paid"],
  ["unpaid", "unpaid"],
  ["partly refunded", "partlyRefunded"],
  ["refunded", "refunded"],
  ["disputed", "disputed"],
])("%s is shown as %s", (name, state) => {
  expect(stateOf(name)).toBe(state);
});

test("the outcome of an earlier attempt is not that of a new one", () => {
  const payment = { ...payProps().payment, state: "failed", code: "card_declined" } as const;
  const declined = payProps({ payment: { ...payProps().payment, ...payment } as never });
  expect(payState({ ...declined, returned: true })).toBe("failed");
  expect(payState({ ...declined, canPay: false })).toBe("expired");
  const part = { paymentStatus: "partly_paid" } as const;
  expect(payState(payProps(part))).toBe("awaiting");
  expect(payState(payProps({ ...part, status: "placed" }))).toBe("paid");
  expect(payState(payProps({ payment: null }))).toBe("awaiting");
});

test("a delayed payment is processed before the order says so", () => {
  const { payment } = payProps();
  if (payment === null) throw new Error("there is one");
  expect(payState(payProps({ payment: { ...payment, state: "processing" } }))).toBe("processing");
});

test.each([
  ["cancelled", "none"],
  ["cancelled and paid back", "paidBack"],
  ["cancelled and released", "released"],
])("the money of an order that is %s", (name, money) => {
  expect(moneyOfCancelled(payProps(payStates[name]))).toBe(money);
});

const saidOf = (name: string, written = true) => {
  const now = payProps(payStates[name]);
  return said(payState(now), now, written);
};

test.each([
  ["awaiting", "Your order waits for payment", "Nothing has been charged so far."],
  [
    "failed: card_declined",
    "The payment did not work",
    "Your bank has declined the card. Nothing was charged. Choose another card or another way, and pay again.",
  ],
  [
    "failed: cancelled",
    "You cancelled the payment",
    "Nothing was charged. Choose another card or another way, and pay again.",
  ],
  ["cancelled", "This order is cancelled", "Nothing was charged."],
  [
    "authorised",
    "Your Order Has Been Completed",
    "Thank you. $196.00 is reserved, and charged when we ship.",
  ],
  ["paid", "Your Order Has Been Completed", "Thank you. We are on it."],
  [
    "partly refunded",
    "Part of your money was given back",
    "$36.00 of $196.00 went back the way you paid. Your bank may take some days to show it.",
  ],
])("%s: %s", (name, title, text) => {
  const { sentences, ...rest } = saidOf(name);
  expect({ ...rest, text: sentences.join(" ") }).toEqual({ title, text });
});

test("nothing is charged in any state that says so, and an e-mail is promised only where one is sent", () => {
  expect(saidOf("processing").sentences.join(" ")).toContain("We write to you");
  expect(saidOf("processing", false).sentences.join(" ")).not.toContain("write");
  for (const name of ["paid", "authorised", "refunded", "disputed", "cancelled and paid back"]) {
    expect(saidOf(name).sentences.join(" "), name).not.toContain("Nothing");
  }
});

test.each([
  ["card_declined", "Your bank has declined the card."],
  ["insufficient_funds", "There was not enough money for it."],
  ["no_funds", "There was not enough money for it."],
  ["expired_card", "The card has expired."],
  ["incorrect_cvc", "The security code of the card was wrong."],
  ["authentication_required", "Your bank could not confirm that it was you."],
  ["authentication_failed", "Your bank could not confirm that it was you."],
  ["expired", "The payment page was open for too long."],
  ["risk", "It was refused because it looked unusual."],
  ["do_not_honor", "The payment provider refused it."],
  ["constructor", "The payment provider refused it."],
  ["", "The payment provider refused it."],
  ["cancelled", ""],
])("the reason %s in words", (code, text) => {
  expect(failureReason(code)).toBe(text);
});

test("asks less and less often", () => {
  const delays = Array.from({ length: 20 }, (_, tries) => pollDelay(tries));
  expect(delays.slice(0, 4)).toEqual([2000, 3000, 4500, 6750]);
  expect(delays).toEqual([...delays].sort((one, other) => one - other));
  expect(delays.at(-1)).toBe(60_000);
  expect([takesLong(5), takesLong(6)]).toEqual([false, true]);
  expect((["asking", "processing", "awaiting", "paid"] as const).map(isPolled)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("counts whole minutes down to nothing", () => {
  const until = "2026-11-15T11:00:00.000Z";
  const before = (seconds: number) => minutesLeft(until, Date.parse(until) - seconds * 1000);
  expect([3600, 61, 60, 1, 0, -5].map(before)).toEqual([60, 2, 1, 1, 0, 0]);
});
