import { expect, test } from "vitest";
import { categoryUrl, pageWindow, productUrl } from "./urls";

test("defaults stay out of an address", () => {
  expect(categoryUrl("audio")).toBe("/category/audio");
  expect(categoryUrl("audio", { sort: "default", size: 16, page: 1 })).toBe("/category/audio");
  expect(categoryUrl("audio", { sort: "best", size: 24, page: 2 })).toBe(
    "/category/audio?sort=best&size=24&page=2",
  );
});

test("an id cannot leave its place", () => {
  expect(productUrl("a/b?c")).toBe("/product/a%2Fb%3Fc");
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
