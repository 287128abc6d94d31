import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_WISHLIST, toggleId } from "./wishlist";

test("toggling adds at the front, and removes again", () => {
  expect(toggleId(["a"], "b")).toEqual(["b", "a"]);
  expect(toggleId(["b", "a"], "b")).toEqual(["a"]);
});

test("after any toggles each product is there once, within the limit", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 150 })), (taps) => {
      const ids = taps.reduce((list: string[], tap) => toggleId(list, `p${tap}`), []);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeLessThanOrEqual(MAX_WISHLIST);
    }),
  );
});
