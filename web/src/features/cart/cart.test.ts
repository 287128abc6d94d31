import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  add,
  type CartLine,
  type CartProduct,
  lineTotal,
  parseQuantity,
  readLines,
  remove,
  setQuantity,
  subTotal,
  units,
  withoutBought,
} from "./cart";

const goods = (id: string, stock = 10, buyPrice = 9.99): CartProduct => ({
  _id: id,
  name: `The ${id}`,
  img: [`/${id}.svg`, "/other.svg"],
  buyPrice,
  qtn: stock,
});

describe("adding", () => {
  test("starts a line with quantity 1, as specified", () => {
    expect(add([], goods("lamp"))).toEqual([
      {
        _id: "lamp",
        product: "lamp",
        name: "The lamp",
        img: ["/lamp.svg"],
        options: {},
        buyPrice: 9.99,
        currency: "USD",
        qtn: 1,
      },
    ]);
    expect(add([], goods("lamp"), 2, "BDT")).toMatchObject([{ currency: "BDT", qtn: 2 }]);
  });

  test("two variants of a product are two lines", () => {
    const variant = (id: string, colour: string): CartProduct => ({
      ...goods(id),
      product: "lamp",
      options: { Colour: colour },
    });
    const lines = add(add([], variant("lamp", "Sand")), variant("01jd", "Ink"), 2);
    expect(lines).toMatchObject([
      { _id: "lamp", product: "lamp", options: { Colour: "Sand" }, qtn: 1 },
      { _id: "01jd", product: "lamp", options: { Colour: "Ink" }, qtn: 2 },
    ]);
    expect(readLines(JSON.parse(JSON.stringify(lines)))).toEqual(lines);
  });

  test("is not limited by the stock where it is back-ordered", () => {
    const later = { ...goods("lamp", 2), backOrder: "2026-12-24T00:00:00Z" };
    expect(add([], later, 7)).toMatchObject([{ qtn: 7 }]);
    expect(add([], later, 700)).toMatchObject([{ qtn: 100 }]);
  });

  test("raises an existing line by one", () => {
    expect(add(add([], goods("lamp")), goods("lamp"))).toMatchObject([{ _id: "lamp", qtn: 2 }]);
  });

  test("stops at the stock and at 100", () => {
    expect(add([], goods("lamp", 3), 7)).toMatchObject([{ qtn: 3 }]);
    expect(add([], goods("lamp", 500), 500)).toMatchObject([{ qtn: 100 }]);
    expect(add([], goods("lamp", 0))).toEqual([]);
  });

  test("does not lower a line where the stock has shrunk", () => {
    const lines = add([], goods("lamp"), 5);
    expect(add(lines, goods("lamp", 2))).toBe(lines);
  });
});

test("a quantity below one removes the line", () => {
  const lines = add(add([], goods("lamp")), goods("chair"), 2);
  expect(setQuantity(lines, "lamp", 0)).toMatchObject([{ _id: "chair" }]);
  expect(setQuantity(lines, "lamp", Number.NaN)).toMatchObject([{ _id: "chair" }]);
  expect(remove(lines, "chair")).toMatchObject([{ _id: "lamp" }]);
  expect(setQuantity(lines, "chair", 7, 4)).toMatchObject([{ qtn: 1 }, { qtn: 4 }]);
});

test("the subtotal is exact, in one currency", () => {
  const lines = add([], goods("lamp", 10, 0.1), 3);
  expect(subTotal(lines, "USD")).toBe(0.3);
  expect(subTotal([], "BDT")).toBe(0);
  const both = add(lines, goods("mug", 10, 2169), 3, "BDT");
  expect(both.map(lineTotal)).toEqual([0.3, 6507]);
  expect([subTotal(both, "USD"), subTotal(both, "BDT")]).toEqual([null, null]);
});

const id = fc.constantFrom("a", "b", "c", "d");
const deed = fc.oneof(
  fc.record({
    id,
    stock: fc.integer({ min: 0, max: 130 }),
    quantity: fc.integer({ min: 1, max: 130 }),
  }),
  fc.record({ id, to: fc.integer({ min: -5, max: 300 }) }),
  fc.record({ id }),
);

test("after any changes a cart has each product once, with 1 to 100 units", () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 60 }), (deeds) => {
      let lines: CartLine[] = [];
      for (const done of deeds) {
        if ("stock" in done) lines = add(lines, goods(done.id, done.stock), done.quantity);
        else if ("to" in done) lines = setQuantity(lines, done.id, done.to);
        else lines = remove(lines, done.id);
        expect(new Set(lines.map((line) => line._id)).size).toBe(lines.length);
        for (const line of lines) {
          expect(Number.isInteger(line.qtn) && line.qtn >= 1 && line.qtn <= 100).toBe(true);
        }
        expect(subTotal(lines, "USD")).toBe((units(lines) * 999) / 100);
      }
      expect(readLines(JSON.parse(JSON.stringify(lines)))).toEqual(lines);
    }),
  );
});

test("adding never lowers a quantity nor exceeds the known stock", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 130 }),
      fc.array(fc.integer({ min: 1, max: 50 })),
      (stock, times) => {
        let before = 0;
        let lines: CartLine[] = [];
        for (const quantity of times) {
          lines = add(lines, goods("lamp", stock), quantity);
          expect(units(lines)).toBeGreaterThanOrEqual(before);
          expect(units(lines)).toBeLessThanOrEqual(Math.min(stock, 100));
          before = units(lines);
        }
      },
    ),
  );
});

test("reads valid lines from storage and drops the rest", () => {
  fc.assert(
    fc.property(fc.anything(), (found) => {
      expect(readLines(found)).toEqual([]);
    }),
  );
  const good = add([], goods("lamp"))[0];
  const bad = [
    { qtn: 0 },
    { qtn: 1.5 },
    { qtn: 101 },
    { buyPrice: -1 },
    { _id: "a b" },
    { img: "x" },
  ];
  for (const part of bad) expect(readLines([{ ...good, ...part }, good])).toEqual([good]);
  expect(readLines([good, good])).toEqual([good]);
  // From before there were variants, and with what cannot be options.
  const { product, options, currency, ...old } = add([], goods("lamp"))[0] as CartLine;
  for (const options of [undefined, null, 7, { Size: 7 }]) {
    expect(readLines([{ ...old, options }])).toEqual([good]);
  }
  // Prices were US dollars before there were currencies.
  for (const currency of [undefined, null, 7]) {
    expect(readLines([{ ...old, currency }])).toEqual([good]);
  }
  expect(readLines([{ ...old, currency: "BDT" }])).toEqual([{ ...good, currency: "BDT" }]);
});

test("removes what was bought, and no more", () => {
  const lines = add(add(add([], goods("lamp"), 3), goods("chair"), 2), goods("mug"));
  const bought = [
    { _id: "lamp", qtn: 3 },
    { _id: "chair", qtn: 1 },
    { _id: "gone", qtn: 1 },
  ];
  expect(withoutBought(lines, bought)).toMatchObject([
    { _id: "chair", qtn: 1 },
    { _id: "mug", qtn: 1 },
  ]);
});

test("reads a quantity in the digits of any script", () => {
  expect(["3", " ১২ ", "007", "٤"].map(parseQuantity)).toEqual([3, 12, 7, 4]);
  expect(["", "0", "০", "-1", "1.5", "1e2", "two"].map(parseQuantity)).toEqual(Array(7).fill(null));
});
