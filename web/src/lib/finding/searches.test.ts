import { expect, test } from "vitest";
import { readSearches, withoutSearch, withSearch } from "./searches";

test("the last search comes first, and stands there once", () => {
  expect(withSearch(["lamp", "chair"], "desk")).toEqual(["desk", "lamp", "chair"]);
  expect(withSearch(["lamp", "Chair"], "chair")).toEqual(["chair", "lamp"]);
});

test("eight are kept", () => {
  const many = Array.from({ length: 12 }, (_, at) => `q${at}`);
  expect(many.reduce(withSearch, [] as string[])).toEqual(many.toReversed().slice(0, 8));
});

test("one is forgotten however it is written", () => {
  expect(withoutSearch(["Lamp", "chair"], "lamp")).toEqual(["chair"]);
});

test("whatever is found in storage gives searches", () => {
  expect(readSearches(null)).toEqual([]);
  expect(readSearches({ 0: "lamp" })).toEqual([]);
  expect(readSearches(["lamp", 7, "", "  ", "LAMP", "chair", "x".repeat(101)])).toEqual([
    "lamp",
    "chair",
  ]);
});
