import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Order } from "../../../lib/api.gen";
import { parseLastOrder, saveLastOrder } from "./last-order";

const storage = new Map<string, string>();
const order = (number: string) =>
  ({
    number,
    email: "nila@example.com",
    total: 9,
    giftCards: [{ lastFour: "WXYZ", amount: 3 }],
    credit: 2,
    currency: "BDT",
    paymentFee: 1.5,
    adjustments: [
      { kind: "percent", label: "Eid", amount: -1.5, line: "mug", promotion: "eid", code: "EID" },
      { kind: "percent", label: "Eid", amount: -0.5, line: "lamp", promotion: "eid", code: "EID" },
      { kind: "free_delivery", label: "Free", amount: -5, promotion: "free" },
    ],
    lines: [{ _id: "mug", name: "Mug", options: { Colour: "Oat" }, picture: "/m.jpg", qtn: 2 }],
  }) as unknown as Order;

beforeEach(() => {
  storage.clear();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, text: string) => storage.set(key, text),
  });
});

afterEach(() => vi.unstubAllGlobals());

test("saves an order once, with only what the confirmation page shows", () => {
  expect(saveLastOrder({ ...order("7K3M-9QXF"), phone: "1234" }, "card", false)).toBe(true);
  expect(saveLastOrder(order("7K3M-9QXF"), "card", false)).toBe(false);
  const { adjustments, ...shown } = order("7K3M-9QXF");
  expect(parseLastOrder(storage.get("haat.placed") ?? null)).toEqual({
    ...shown,
    payment: "card",
    discounts: [
      { promotion: "eid", label: "Eid", amount: -2 },
      { promotion: "free", label: "Free", amount: -5 },
    ],
  });
  expect(saveLastOrder(order("ABPJ-XMD7"), "card", false)).toBe(true);
});

test("saves how it is delivered, where that was chosen", () => {
  const delivery = {
    zone: "bd",
    method: "shop",
    name: "Pick up",
    earliest: null,
    latest: null,
    pickup: { address: "12 Market Lane" },
  };
  saveLastOrder({ ...order("7K3M-9QXF"), delivery }, "card", false);
  expect(parseLastOrder(storage.get("haat.placed") ?? null)?.delivery).toEqual(delivery);
});

test("saves gift cards only where some paid", () => {
  saveLastOrder({ ...order("7K3M-9QXF"), giftCards: [] }, "card", false);
  expect(parseLastOrder(storage.get("haat.placed") ?? null)).not.toHaveProperty("giftCards");
});

test("ignores damaged values", () => {
  for (const text of [null, "", "{", "7", '{"number":"7K3M-9QXF"}']) {
    expect(parseLastOrder(text)).toBeNull();
  }
  const whole = { ...order("7K3M-9QXF"), payment: "card" };
  expect(parseLastOrder(JSON.stringify({ ...whole, currency: "CHF" }))).not.toBeNull();
  expect(parseLastOrder(JSON.stringify({ ...whole, currency: undefined }))).toBeNull();
  // Its amounts are not in its currency.
  expect(parseLastOrder(JSON.stringify({ ...whole, rate: 1_205_000 }))).toBeNull();
  for (const discounts of [{}, [null], [{ promotion: "eid", label: "Eid" }]]) {
    expect(parseLastOrder(JSON.stringify({ ...whole, discounts }))).toBeNull();
  }
  for (const giftCards of [{}, [null], [{ lastFour: "WXYZ" }]]) {
    expect(parseLastOrder(JSON.stringify({ ...whole, giftCards }))).toBeNull();
  }
  for (const delivery of [null, "bike", { name: "Bike" }]) {
    expect(parseLastOrder(JSON.stringify({ ...whole, delivery }))).toBeNull();
  }
  for (const lines of [undefined, {}, [null], [{ _id: "mug", name: "Mug", qtn: 2 }]]) {
    expect(parseLastOrder(JSON.stringify({ ...whole, lines }))).toBeNull();
  }
});
