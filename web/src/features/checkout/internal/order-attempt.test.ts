import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { NewOrder } from "../../../lib/api.gen";
import {
  clearAttempt,
  clearAttemptOf,
  isPaidOtherwise,
  markAwaiting,
  matchesCart,
  pendingAttempt,
  startAttempt,
} from "./order-attempt";

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
  const storage = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, text: string) => storage.set(key, text),
    removeItem: (key: string) => storage.delete(key),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the same order keeps its key until it is answered", () => {
  const { key } = startAttempt("nila", order);
  expect(key).toMatch(/^[\da-f-]{36}$/);
  expect(startAttempt("nila", structuredClone(order)).key).toBe(key);
  expect(pendingAttempt("nila")?.order).toEqual(order);
  clearAttempt();
  expect(pendingAttempt("nila")).toBeNull();
  expect(startAttempt("nila", order).key).not.toBe(key);
});

test.each([
  ["the form", { address: "Khulna" }],
  ["the cart", { lines: [{ _id: "lamp", qtn: 3 }] }],
  ["the price", { total: 200 }],
])("uses another key when %s has changed", (_, change) => {
  const { key } = startAttempt("nila", order);
  expect(startAttempt("nila", { ...order, ...change }).key).not.toBe(key);
});

test("ignores another customer's attempt, and an old one", () => {
  startAttempt("nila", order);
  expect(pendingAttempt("rafi")).toBeNull();
  vi.advanceTimersByTime(9 * 60_000);
  expect(pendingAttempt("nila")).not.toBeNull();
  vi.advanceTimersByTime(2 * 60_000);
  expect(pendingAttempt("nila")).toBeNull();
});

test("a code confirms the same order", () => {
  const { key } = startAttempt("", order);
  const confirmed = startAttempt("", { ...order, phoneCode: "123456" });
  expect(confirmed).toMatchObject({ key, order: { phoneCode: "123456" } });
  expect(pendingAttempt("")).toEqual(confirmed);
});

test("a guest who signs in gets the answer, and orders anew as a customer", () => {
  const { key } = startAttempt("", order);
  expect(pendingAttempt("nila")).toMatchObject({ uid: "", key });
  expect(startAttempt("nila", order).key).not.toBe(key);
  expect(pendingAttempt("")).toBeNull();
});

test("compares an attempt with the cart", () => {
  const attempt = startAttempt("nila", {
    ...order,
    lines: [...order.lines, { _id: "mug", qtn: 1 }],
  });
  const lamp = { _id: "lamp", qtn: 2 };
  expect(matchesCart(attempt, [{ _id: "mug", qtn: 1 }, lamp])).toBe(true);
  expect(matchesCart(attempt, [lamp])).toBe(false);
  expect(matchesCart(attempt, [{ _id: "mug", qtn: 2 }, lamp])).toBe(false);
});

test("an order that waits for its payment keeps its key, however long that takes", () => {
  const attempt = startAttempt("nila", { ...order, payment: "card" });
  markAwaiting(attempt, "7K3M-9QXF");
  vi.advanceTimersByTime(3 * 3600_000);
  expect(pendingAttempt("nila")).toMatchObject({ key: attempt.key, awaits: "7K3M-9QXF" });
  expect(startAttempt("nila", { ...order, payment: "card" }).key).toBe(attempt.key);
  clearAttemptOf("ABPJ-XMD7");
  expect(pendingAttempt("nila")).not.toBeNull();
  clearAttemptOf("7K3M-9QXF");
  expect(pendingAttempt("nila")).toBeNull();
});

test("the same order can be paid in another way", () => {
  const attempt = startAttempt("nila", { ...order, payment: "card" });
  expect(isPaidOtherwise(attempt, { ...order, payment: "bkash" })).toBe(true);
  expect(isPaidOtherwise(attempt, { ...order, payment: "card" })).toBe(false);
  expect(isPaidOtherwise(attempt, { ...order, payment: "bkash", total: 200 })).toBe(false);
});

test("ignores damaged values", () => {
  for (const text of ["{", "null", "7", '{"uid":"nila"}', '{"uid":"nila","key":"k","at":1}']) {
    sessionStorage.setItem("haat.attempt", text);
    expect(pendingAttempt("nila"), text).toBeNull();
  }
});
