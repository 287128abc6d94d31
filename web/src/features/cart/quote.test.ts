import { expect, test } from "vitest";
import type { Quote } from "../../lib/api.gen";
import type { CartLine } from "./cart";
import { linesWithQuote, mergeNotes, requestKey } from "./quote";

const line = (_id: string, buyPrice: number, qtn: number): CartLine => ({
  _id,
  product: _id,
  name: _id,
  img: ["/old.svg"],
  options: {},
  buyPrice,
  currency: "USD",
  qtn,
});

const quoted = (
  _id: string,
  buyPrice: number,
  qtn: number,
  stock: number,
): Quote["lines"][number] => ({
  _id,
  product: "lamp",
  options: { Colour: "Ink" },
  backOrder: null,
  name: `${_id}, renamed`,
  img: "/new.svg",
  picture: {
    src: "/new.svg",
    width: null,
    height: null,
    colour: null,
    placeholder: null,
    alt: "",
    inColour: null,
  },
  buyPrice,
  qtn,
  stock,
  total: buyPrice * qtn,
  change: null,
});

const quote = (...lines: Quote["lines"]): Quote => ({
  currency: "USD",
  lines,
  subTotal: 0,
  adjustments: [],
  discount: 0,
  shipping: 0,
  paymentFee: 0,
  totalWithoutFee: 0,
  vat: 0,
  taxes: [],
  cartTotal: 0,
  total: 0,
  codes: [],
  deliveries: [],
  delivery: null,
  undeliverable: false,
  dependsOnDestination: false,
  now: "2026-11-18T00:00:00Z",
  changesAt: null,
});

test("applies the quote's current values", () => {
  const now = quote({ ...quoted("lamp", 12, 2, 2), change: "less" });
  expect(linesWithQuote([line("lamp", 10, 5), line("chair", 1, 1)], now)).toEqual([
    {
      _id: "lamp",
      product: "lamp",
      name: "lamp, renamed",
      img: ["/new.svg"],
      options: { Colour: "Ink" },
      buyPrice: 12,
      currency: "USD",
      qtn: 2,
    },
    line("chair", 1, 1),
  ]);
});

test("a quote in another currency changes price and currency, and says nothing of it", () => {
  const taka = { ...quote(quoted("lamp", 1446, 2, 2)), currency: "BDT" };
  const lines = [line("lamp", 12, 2)];
  expect(linesWithQuote(lines, taka)).toMatchObject([{ buyPrice: 1446, currency: "BDT" }]);
  expect(linesWithQuote(lines, null)).toBe(lines);
  expect(mergeNotes({}, lines, taka)).toEqual({});
  const dearer = mergeNotes({}, lines, quote(quoted("lamp", 13, 2, 2)));
  expect(dearer).toEqual({ lamp: [{ kind: "price", was: 12, currency: "USD" }] });
  expect(mergeNotes(dearer, lines, taka)).toEqual({});
});

test("keeps a line that is gone, with a note", () => {
  const now = quote({ ...quoted("lamp", 0, 0, 0), change: "gone" });
  expect(linesWithQuote([line("lamp", 10, 5)], now)).toEqual([line("lamp", 10, 5)]);
  expect(mergeNotes({}, [line("lamp", 10, 5)], now)).toEqual({ lamp: [{ kind: "gone" }] });
});

test("notes stay until a newer one of their kind, and go with their line", () => {
  const less = quote({ ...quoted("lamp", 12, 2, 2), change: "less" });
  const first = mergeNotes({}, [line("lamp", 10, 5)], less);
  expect(first).toEqual({
    lamp: [
      { kind: "less", left: 2 },
      { kind: "price", was: 10, currency: "USD" },
    ],
  });
  const same = mergeNotes(first, [line("lamp", 12, 2)], quote(quoted("lamp", 12, 2, 2)));
  expect(same).toEqual(first);
  const dearer = mergeNotes(first, [line("lamp", 12, 2)], quote(quoted("lamp", 13, 2, 2)));
  expect(dearer.lamp).toContainEqual({ kind: "price", was: 12, currency: "USD" });
  expect(dearer.lamp).toHaveLength(2);
  expect(mergeNotes(first, [], quote())).toEqual({});
});

test("another quote is requested for other lines, codes, destinations, currencies and customers", () => {
  const request = {
    lines: [line("lamp", 10, 1)],
    codes: ["EID"],
    delivery: { destination: null, method: null },
    payment: "cash_on_delivery" as const,
    currency: "USD",
    customer: null,
  };
  const key = requestKey(request);
  for (const change of [
    { lines: [line("lamp", 10, 2)] },
    { codes: [] },
    { codes: ["EID", "SPRING10"] },
    {
      delivery: {
        destination: { country: "BD", region: "", district: "", postcode: "" },
        method: null,
      },
    },
    { delivery: { destination: null, method: "bike" } },
    { payment: "gift_card" as const },
    { currency: "BDT" },
    { customer: "nila" },
  ])
    expect(requestKey({ ...request, ...change }), JSON.stringify(change)).not.toBe(key);
  // Prices are the answer.
  expect(requestKey({ ...request, lines: [line("lamp", 12, 1)] })).toBe(key);
});
