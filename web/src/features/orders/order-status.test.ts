import { expect, test } from "vitest";
import type { OrderStatus } from "../../lib/api.gen";
import { canReview, noteParts, orderStats, statusTone, timeline } from "./order-status";

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
  const order = (status: OrderStatus, state: "authorised" | "captured" | "voided") =>
    ({ status, payment: { state } }) as Parameters<typeof canReview>[0];
  expect(canReview(order("shipped", "authorised"))).toBe(false);
  expect(canReview(order("placed", "captured"))).toBe(true);
  expect(canReview(order("delivered", "captured"))).toBe(true);
  expect(canReview(order("cancelled", "voided"))).toBe(false);
});
