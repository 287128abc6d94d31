import { expect, test } from "vitest";
import {
  categoryUrl,
  pageWindow,
  productUrl,
  searchUrl,
  variantUrl,
  withoutPriceFilter,
} from "./urls";

test("escapes ids", () => {
  expect(productUrl("a/b?c")).toBe("/product/a%2Fb%3Fc");
  expect(categoryUrl("a/b?c")).toBe("/category/a%2Fb%3Fc");
  expect(searchUrl("a&b", "c&d")).toBe("/search?q=a%26b&category=c%26d");
});

test("a line leads to its variant, where there are options", () => {
  expect(productUrl("mug", ["colour=Bottle%20Green", "size=M"])).toBe(
    "/product/mug?colour=Bottle%20Green&size=M",
  );
  const line = { _id: "mug", product: "mug", options: {} };
  expect(variantUrl(line)).toBe("/product/mug");
  expect(variantUrl({ ...line, options: { Colour: "Oat" } })).toBe("/product/mug?variant=mug");
  expect(variantUrl({ ...line, _id: "01jd" })).toBe("/product/mug?variant=01jd");
});

test.each([
  ["/category/audio", "/category/audio"],
  ["/category/audio?brand=Veldrun&page=2", "/category/audio?brand=Veldrun&page=2"],
  ["/category/audio?min=20", "/category/audio"],
  ["/category/audio?brand=Veldrun&max=90", "/category/audio?brand=Veldrun"],
  ["/search?q=max%3D1&min=20&max=90&stock=in&page=2", "/search?q=max%3D1&stock=in&page=2"],
])("%s has no price filter as %s", (address, without) => {
  expect(withoutPriceFilter(address)).toBe(without);
});

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [3, 5, [1, 2, 3, 4, 5]],
  [1, 9, [1, 2, null, 9]],
  [5, 9, [1, null, 4, 5, 6, null, 9]],
  [9, 9, [1, null, 8, 9]],
])("page %i of %i links to", (current, pages, window) => {
  expect(pageWindow(current, pages)).toEqual(window);
});
