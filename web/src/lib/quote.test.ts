import { expect, test } from "vitest";
import type { Quote } from "./api.gen";
import type { CartLine } from "./cart";
import { settled, withNews } from "./quote";

const line = (_id: string, buyPrice: number, qtn: number): CartLine => ({
  _id,
  name: _id,
  img: ["/old.svg"],
  buyPrice,
  qtn,
});

const quoted = (
  _id: string,
  buyPrice: number,
  qtn: number,
  stock: number,
): Quote["lines"][number] => ({
  _id,
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
  lines,
  subTotal: 0,
  shipping: 0,
  vat: 0,
  cartTotal: 0,
  total: 0,
  now: "2026-11-18T00:00:00Z",
  changesAt: null,
});

test("the cart takes over what is true now", () => {
  const now = quote({ ...quoted("lamp", 12, 2, 2), change: "less" });
  expect(settled([line("lamp", 10, 5), line("chair", 1, 1)], now)).toEqual([
    { _id: "lamp", name: "lamp, renamed", img: ["/new.svg"], buyPrice: 12, qtn: 2 },
    line("chair", 1, 1),
  ]);
});

test("what is gone stays, to be said", () => {
  const now = quote({ ...quoted("lamp", 0, 0, 0), change: "gone" });
  expect(settled([line("lamp", 10, 5)], now)).toEqual([line("lamp", 10, 5)]);
  expect(withNews({}, [line("lamp", 10, 5)], now)).toEqual({ lamp: [{ kind: "gone" }] });
});

test("news stay said until there is newer, and go with their line", () => {
  const less = quote({ ...quoted("lamp", 12, 2, 2), change: "less" });
  const first = withNews({}, [line("lamp", 10, 5)], less);
  expect(first).toEqual({
    lamp: [
      { kind: "less", left: 2 },
      { kind: "price", was: 10 },
    ],
  });
  const same = withNews(first, [line("lamp", 12, 2)], quote(quoted("lamp", 12, 2, 2)));
  expect(same).toEqual(first);
  const dearer = withNews(first, [line("lamp", 12, 2)], quote(quoted("lamp", 13, 2, 2)));
  expect(dearer.lamp).toContainEqual({ kind: "price", was: 12 });
  expect(dearer.lamp).toHaveLength(2);
  expect(withNews(first, [], quote())).toEqual({});
});
