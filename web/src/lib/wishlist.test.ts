import fc from "fast-check";
import { expect, test } from "vitest";
import { withSeen } from "./seen";
import { MOST_WISHES, toggled } from "./wishlist";

test("a wish is put first, and taken back by the same tap", () => {
  expect(toggled(["a"], "b")).toEqual(["b", "a"]);
  expect(toggled(["b", "a"], "b")).toEqual(["a"]);
});

test("however it is tapped, each is there once and not too many are", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 150 })), (taps) => {
      const ids = taps.reduce((list: string[], tap) => toggled(list, `p${tap}`), []);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeLessThanOrEqual(MOST_WISHES);
    }),
  );
});

test("what was seen last comes first, each once", () => {
  expect(withSeen(["a", "b", "c"], "b")).toEqual(["b", "a", "c"]);
  expect(withSeen(Array.from("abcdefghijkl"), "x")).toEqual(Array.from("xabcdefghijk"));
});
