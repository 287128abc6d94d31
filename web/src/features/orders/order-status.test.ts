import { expect, test } from "vitest";
import type { OrderStatus, PaymentStatus } from "../../lib/api.gen";
import { canReview, noteParts, orderStats, statusText, statusTone, timeline } from "./order-status";

const history = (...statuses: OrderStatus[]) =>
  statuses.map((status, day) => ({ status, at: `2026-11-0${day + 1}T00:00:00Z` }));

const told = (...statuses: OrderStatus[]) =>
  timeline(history(...statuses)).map(
    ({ status, at, here }) => `${at === null ? "(" : ""}${status}${here ? "!" : ""}`,
  );

test("shows the coming steps of an order in progress", () => {
  expect(told("placed", "confirmed")).toEqual([
    "placed",
    "confirmed!",
    "(packed",
    "(shipped",
    "(delivered",
  ]);
  expect(told("placed", "confirmed", "packed", "shipped", "delivered").at(-1)).toBe("delivered!");
});

test("a cancelled or returned order has no coming steps", () => {
  expect(told("placed", "cancelled")).toEqual(["placed", "cancelled!"]);
  expect(told("delivered", "return_requested", "returned", "refunded").slice(1)).toEqual([
    "return_requested",
    "returned",
    "refunded!",
  ]);
  expect(told("delivered", "return_requested", "delivered").at(-1)).toBe("delivered!");
});

test("an order that awaits its payment has all steps before it", () => {
  expect(told("awaiting_payment")).toEqual([
    "awaiting_payment!",
    "(placed",
    "(confirmed",
    "(packed",
    "(shipped",
    "(delivered",
  ]);
  expect(told("awaiting_payment", "placed").slice(0, 3)).toEqual([
    "awaiting_payment",
    "placed!",
    "(confirmed",
  ]);
  expect(told("awaiting_payment", "cancelled")).toEqual(["awaiting_payment", "cancelled!"]);
  expect(statusTone("awaiting_payment")).toBe("open");
});

test("a cancelled order says what becomes of the money", () => {
  expect(statusText({ status: "cancelled", paymentStatus: "cancelled" })).toBe(
    "It was called off, and nothing will be charged.",
  );
  for (const paymentStatus of ["paid", "refunded", "partly_refunded"] as const) {
    expect(statusText({ status: "cancelled", paymentStatus })).toBe(
      "It was called off. What you paid is given back.",
    );
  }
});

test("adds spending up, in each currency", () => {
  const order = (status: OrderStatus, spent: number, currency = "USD") => {
    return { status, spent, currency };
  };
  expect(orderStats([])).toEqual({ orders: 0, spent: [], onTheWay: 0 });
  const orders = [
    order("placed", 0),
    order("shipped", 0.2),
    order("partly_refunded", 0.1),
    order("delivered", 2169, "BDT"),
    order("cancelled", 0),
  ];
  const spent = [
    { amount: 0.3, currency: "USD" },
    { amount: 2169, currency: "BDT" },
  ];
  expect(orderStats(orders)).toEqual({ orders: 5, spent, onTheWay: 2 });
});

test("statuses have tones", () => {
  expect([statusTone("packed"), statusTone("delivered"), statusTone("cancelled")]).toEqual([
    "open",
    "good",
    "off",
  ]);
  expect(statusTone("partly_refunded")).toBe("good");
});

test("links only https addresses in a note", () => {
  expect(noteParts("Courier 12: https://post.example/t?n=1, soon.")).toEqual([
    { text: "Courier 12: ", url: null },
    { text: "https://post.example/t?n=1", url: "https://post.example/t?n=1" },
    { text: ", soon.", url: null },
  ]);
  expect(noteParts("javascript:alert(1) http://plain.example")).toEqual([
    { text: "javascript:alert(1) http://plain.example", url: null },
  ]);
});

test("orders that were delivered or paid can be reviewed", () => {
  const order = (status: OrderStatus, paymentStatus: PaymentStatus) => ({ status, paymentStatus });
  expect(canReview(order("shipped", "unpaid"))).toBe(false);
  expect(canReview(order("placed", "paid"))).toBe(true);
  expect(canReview(order("delivered", "paid"))).toBe(true);
  expect(canReview(order("cancelled", "cancelled"))).toBe(false);
  expect(canReview(order("awaiting_payment", "awaiting_payment"))).toBe(false);
});
