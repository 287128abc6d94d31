import { expect, test } from "vitest";
import { withViewed } from "./recently-viewed";

test("the last viewed product comes first, each once", () => {
  expect(withViewed(["a", "b", "c"], "b")).toEqual(["b", "a", "c"]);
  expect(withViewed(Array.from("abcdefghijkl"), "x")).toEqual(Array.from("xabcdefghijk"));
});
