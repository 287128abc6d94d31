import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { NewOrder } from "../api.gen";
import { attemptFor, endAttempt, isFor, pendingAttempt } from "./attempt";

const order: NewOrder = {
  name: "Nila",
  phone: "+880 1",
  address: "Dhaka",
  lines: [{ _id: "lamp", qtn: 2 }],
  total: 199,
  currency: "USD",
  payment: "cash_on_delivery",
};

beforeEach(() => {
  vi.useFakeTimers();
  const shelf = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => shelf.get(key) ?? null,
    setItem: (key: string, text: string) => shelf.set(key, text),
    removeItem: (key: string) => shelf.delete(key),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the same order keeps its key until it is answered", () => {
  const { key } = attemptFor("nila", order);
  expect(key).toMatch(/^[\da-f-]{36}$/);
  expect(attemptFor("nila", structuredClone(order)).key).toBe(key);
  expect(pendingAttempt("nila")?.order).toEqual(order);
  endAttempt();
  expect(pendingAttempt("nila")).toBeNull();
  expect(attemptFor("nila", order).key).not.toBe(key);
});

test.each([
  ["the form", { address: "Khulna" }],
  ["the cart", { lines: [{ _id: "lamp", qtn: 3 }] }],
  ["the price", { total: 200 }],
])("another key when %s has changed", (_, change) => {
  const { key } = attemptFor("nila", order);
  expect(attemptFor("nila", { ...order, ...change }).key).not.toBe(key);
});

test("nobody goes on with another's order, nor with one that is long past", () => {
  attemptFor("nila", order);
  expect(pendingAttempt("rafi")).toBeNull();
  vi.advanceTimersByTime(9 * 60_000);
  expect(pendingAttempt("nila")).not.toBeNull();
  vi.advanceTimersByTime(2 * 60_000);
  expect(pendingAttempt("nila")).toBeNull();
});

test("one knows whether it is what is in the cart", () => {
  const attempt = attemptFor("nila", { ...order, lines: [...order.lines, { _id: "mug", qtn: 1 }] });
  const lamp = { _id: "lamp", qtn: 2 };
  expect(isFor(attempt, [{ _id: "mug", qtn: 1 }, lamp])).toBe(true);
  expect(isFor(attempt, [lamp])).toBe(false);
  expect(isFor(attempt, [{ _id: "mug", qtn: 2 }, lamp])).toBe(false);
});

test("what is damaged counts as nothing", () => {
  for (const text of ["{", "null", "7", '{"uid":"nila"}', '{"uid":"nila","key":"k","at":1}']) {
    sessionStorage.setItem("haat.attempt", text);
    expect(pendingAttempt("nila"), text).toBeNull();
  }
});
