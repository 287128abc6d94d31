import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Order } from "../api.gen";
import { readPlaced, rememberPlaced } from "./placed";

const shelf = new Map<string, string>();
const order = (number: string) =>
  ({
    number,
    email: "nila@example.com",
    total: 9,
    credit: 2,
    currency: "BDT",
    rate: 1_205_000,
    lines: [{ _id: "mug", name: "Mug", picture: "/m.jpg", qtn: 2 }],
  }) as Order;

beforeEach(() => {
  shelf.clear();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => shelf.get(key) ?? null,
    setItem: (key: string, text: string) => shelf.set(key, text),
  });
});

afterEach(() => vi.unstubAllGlobals());

test("an order is remembered once, with what its last page says and no more", () => {
  expect(rememberPlaced({ ...order("7K3M-9QXF"), phone: "1234" }, "card")).toBe(true);
  expect(rememberPlaced(order("7K3M-9QXF"), "card")).toBe(false);
  expect(readPlaced(shelf.get("haat.placed") ?? null)).toEqual({
    ...order("7K3M-9QXF"),
    payment: "card",
  });
  expect(rememberPlaced(order("ABPJ-XMD7"), "card")).toBe(true);
});

test("what is damaged counts as nothing", () => {
  for (const text of [null, "", "{", "7", '{"number":"7K3M-9QXF"}']) {
    expect(readPlaced(text)).toBeNull();
  }
  const whole = { ...order("7K3M-9QXF"), payment: "card" };
  for (const lines of [undefined, {}, [null], [{ _id: "mug", name: "Mug", qtn: 2 }]]) {
    expect(readPlaced(JSON.stringify({ ...whole, lines }))).toBeNull();
  }
});
