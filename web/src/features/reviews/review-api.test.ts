import { expect, test } from "vitest";
import { reviewsUrl, tenths } from "./review-api";

test("the URL has only non-default parameters", () => {
  expect(reviewsUrl("oak-lamp", "newest", 1)).toBe("/product/oak-lamp#first-review");
  expect(reviewsUrl("oak-lamp", "newest", 2)).toBe("/product/oak-lamp?reviews=2#first-review");
  expect(reviewsUrl("oak-lamp", "lowest", 1)).toBe("/product/oak-lamp?sort=lowest#first-review");
  expect(reviewsUrl("oak-lamp", "lowest", 3)).toBe(
    "/product/oak-lamp?sort=lowest&reviews=3#first-review",
  );
  expect(reviewsUrl("oak-lamp", "newest", 2, ["colour=Ink"])).toBe(
    "/product/oak-lamp?colour=Ink&reviews=2#first-review",
  );
});

test("rounds the mean to tenths", () => {
  expect([4.33, 4.67, 4.95, 4, 0].map(tenths)).toEqual([4.3, 4.7, 5, 4, 0]);
});
