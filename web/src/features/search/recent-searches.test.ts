import { expect, test } from "vitest";
import { readSearches, withoutSearch, withSearch } from "./recent-searches";

test("the last search comes first, each once", () => {
  expect(withSearch(["lamp", "chair"], "desk")).toEqual(["desk", "lamp", "chair"]);
  expect(withSearch(["lamp", "Chair"], "chair")).toEqual(["chair", "lamp"]);
});

test("keeps eight searches", () => {
  const many = Array.from({ length: 12 }, (_, at) => `q${at}`);
  expect(many.reduce(withSearch, [] as string[])).toEqual(many.toReversed().slice(0, 8));
});

test("removes a search in any case", () => {
  expect(withoutSearch(["Lamp", "chair"], "lamp")).toEqual(["chair"]);
});

test("reads valid searches from storage and drops the rest", () => {
  expect(readSearches(null)).toEqual([]);
  expect(readSearches({ 0: "lamp" })).toEqual([]);
  expect(readSearches(["lamp", 7, "", "  ", "LAMP", "chair", "x".repeat(101)])).toEqual([
    "lamp",
    "chair",
  ]);
});
