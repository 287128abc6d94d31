import { afterEach, expect, test } from "vitest";
import type { OrderLine, VariantCard } from "../../../lib/api.gen";
import { setLanguage } from "../../../lib/language";
import { add, type CartLine, type CartProduct, units } from "../../cart/cart";
import { addLines, reorderMessage } from "./buy-again";

const line = (_id: string, qtn: number, options = {}): OrderLine => ({
  _id,
  product: _id,
  name: `Old ${_id}`,
  options,
  sku: _id,
  picture: "",
  buyPrice: 1,
  qtn,
  total: qtn,
});

const variant = (_id: string, qtn: number, more: Partial<VariantCard> = {}) =>
  ({ _id, name: `New ${_id}`, img: ["/a.jpg"], buyPrice: 2, qtn, ...more }) as VariantCard;

function cartOf(lines: CartLine[]) {
  return {
    lines: () => lines,
    add(goods: CartProduct, quantity: number) {
      const before = units(lines);
      lines = add(lines, goods, quantity);
      return units(lines) - before;
    },
  };
}

afterEach(() => setLanguage({ language: "en", shop: { languages: ["en"] } }));

test("adds what is in stock and lists the rest with reasons", () => {
  const cart = cartOf(add([], variant("lamp", 3), 3));
  const done = addLines(
    [line("mug", 2), line("lamp", 2), line("bowl", 5), line("gone", 1), line("sold", 1)],
    [variant("mug", 9), variant("lamp", 4), variant("bowl", 1), variant("sold", 0)],
    cart,
  );
  expect(done.added).toBe(4);
  expect(reorderMessage(done)).toBe(
    "4 items are in your cart. Not all could be added: " +
      "New lamp (only 4 left, which are in your cart), New bowl (only 1 left), " +
      "Old gone (no longer sold), New sold (out of stock).",
  );
  expect(cart.lines().map(({ _id, qtn }) => [_id, qtn])).toEqual([
    ["lamp", 4],
    ["mug", 2],
    ["bowl", 1],
  ]);
});

test("names the variant, and buys on back-order", () => {
  const cart = cartOf([]);
  const done = addLines(
    [line("sand", 2, { Colour: "Sand" }), line("ink", 1, { Colour: "Ink" })],
    [variant("sand", 0, { backOrder: "2026-12-24T00:00:00Z", options: { Colour: "Sand" } })],
    cart,
  );
  expect(reorderMessage(done)).toBe(
    "2 items are in your cart. Not all could be added: Old ink (Ink) (no longer sold).",
  );
  expect(cart.lines()).toMatchObject([{ _id: "sand", options: { Colour: "Sand" }, qtn: 2 }]);
});

test("describes complete success and complete failure", () => {
  expect(reorderMessage({ added: 1, missing: [] })).toBe("1 item is in your cart.");
  const none = addLines([line("mug", 1)], [], cartOf([]));
  expect(reorderMessage(none)).toBe("Nothing could be added: Old mug (no longer sold).");
});

test("says it in Bangla, with its digits", () => {
  setLanguage({ language: "bn", shop: { languages: ["en", "bn"] } });
  const cart = cartOf([]);
  const done = addLines(
    [line("mug", 2), line("lamp", 12)],
    [variant("mug", 9), variant("lamp", 10)],
    cart,
  );
  expect(reorderMessage(done)).toBe(
    "১২টি পণ্য আপনার কার্টে রাখা হয়েছে। সব যোগ করা যায়নি: New lamp (মাত্র ১০টি আছে)।",
  );
});
