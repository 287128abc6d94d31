import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cart } from "../cart/cart";
import { discountCodes } from "../cart/discount-codes";
import { findAwaiting, readAwaiting, saveAwaiting, settleAwaiting } from "./awaiting-orders";
import { markAwaiting, pendingAttempt, startAttempt } from "./internal/order-attempt";

const token = (sub: string) => `.${btoa(JSON.stringify({ sub }))}.`;
const order = (number: string, uid = "") => ({
  number,
  uid,
  payUrl: `/pay/${number}?key=k`,
  lines: [{ _id: "lamp", qtn: 2 }],
  at: Date.now(),
});
const line = (_id: string, qtn: number) => {
  const rest = { name: _id, img: [], options: {}, buyPrice: 1, currency: "USD" };
  return { _id, product: _id, qtn, ...rest };
};
const inCart = () => cart.lines().map(({ _id, qtn }) => `${qtn} ${_id}`);

function storage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
    removeItem: (key: string) => void items.delete(key),
  } as Storage;
}

beforeEach(() => {
  vi.stubGlobal("localStorage", storage());
  vi.stubGlobal("sessionStorage", storage());
  cart.replace(() => [line("lamp", 3), line("mug", 1)]);
  discountCodes.add("EID");
});

afterEach(() => vi.unstubAllGlobals());

test("a paid order's lines leave the cart, and no others, once", () => {
  saveAwaiting(order("7K3M-9QXF"));
  expect(settleAwaiting("7K3M-9QXF", "awaiting_payment")).toBe(false);
  expect(settleAwaiting("ABPJ-XMD7", "placed")).toBe(false);
  expect(inCart()).toEqual(["3 lamp", "1 mug"]);
  expect(settleAwaiting("7K3M-9QXF", "placed")).toBe(true);
  expect(inCart()).toEqual(["1 lamp", "1 mug"]);
  expect(discountCodes.all()).toEqual([]);
  expect(settleAwaiting("7K3M-9QXF", "placed")).toBe(false);
  expect(inCart()).toEqual(["1 lamp", "1 mug"]);
});

test("later statuses count as paid, too", () => {
  saveAwaiting(order("7K3M-9QXF"));
  expect(settleAwaiting("7K3M-9QXF", "shipped")).toBe(true);
});

test("a cancelled order is forgotten, and the cart stays", () => {
  saveAwaiting(order("7K3M-9QXF"));
  expect(settleAwaiting("7K3M-9QXF", "cancelled")).toBe(false);
  expect(findAwaiting("7K3M-9QXF")).toBeNull();
  expect(inCart()).toEqual(["3 lamp", "1 mug"]);
  expect(discountCodes.all()).toEqual(["EID"]);
});

test("the cart of another customer stays", () => {
  saveAwaiting(order("7K3M-9QXF", "nila"));
  localStorage.setItem("accessToken", token("rafi"));
  expect(settleAwaiting("7K3M-9QXF", "placed")).toBe(false);
  expect(findAwaiting("7K3M-9QXF")).toBeNull();
  saveAwaiting(order("ABPJ-XMD7", "nila"));
  localStorage.setItem("accessToken", token("nila"));
  expect(inCart()).toEqual(["3 lamp", "1 mug"]);
  expect(settleAwaiting("ABPJ-XMD7", "placed")).toBe(true);
});

test("the attempt that placed it ends with it", () => {
  const sent = { name: "", phone: "", address: "", lines: [], total: 1 };
  markAwaiting(startAttempt("", sent), "7K3M-9QXF");
  saveAwaiting(order("7K3M-9QXF"));
  settleAwaiting("ABPJ-XMD7", "placed");
  expect(pendingAttempt("")?.awaits).toBe("7K3M-9QXF");
  settleAwaiting("7K3M-9QXF", "cancelled");
  expect(pendingAttempt("")).toBeNull();
});

test("keeps the newest five, for two weeks, and drops what is malformed", () => {
  for (const number of ["1", "2", "3", "4", "5", "6"]) saveAwaiting(order(number));
  saveAwaiting(order("4"));
  const numbers = ["1", "2", "3", "4", "5", "6"];
  expect(numbers.filter((number) => findAwaiting(number) !== null)).toEqual(numbers.slice(1));
  const old = { ...order("1"), at: Date.now() - 15 * 24 * 3600_000 };
  const elsewhere = { ...order("1"), payUrl: "//evil.example/pay" };
  const script = { ...order("1"), payUrl: "javascript:alert(1)" };
  const noLine = { ...order("1"), lines: [null] };
  expect(readAwaiting([old, elsewhere, script, noLine, null, 7, {}])).toEqual([]);
  expect(readAwaiting("none")).toEqual([]);
});
