import { expect, test } from "vitest";
import catalogue from "../../../../demo/catalog.json";
import { lookOf } from "./colours";

test("a colour is known by its name, however it is written, or by its last word", () => {
  expect(lookOf("Ink")).toBe("#23283a");
  expect(lookOf(" SEA GREEN ")).toBe("#5f9e8f");
  expect(lookOf("Forest Green")).toBe(lookOf("Green"));
});

test("what nobody knows is said to be unknown", () => {
  expect(lookOf("Octarine")).toBeNull();
  expect(lookOf("")).toBeNull();
  expect(lookOf("constructor")).toBeNull();
});

test("the demo shop's colours are all known", () => {
  const colours = new Set(catalogue.products.flatMap((product) => product.colours));
  expect([...colours].filter((colour) => lookOf(colour) === null)).toEqual([]);
});
