import { expect, test } from "vitest";
import catalogue from "../../../../demo/catalog.json";
import { colourCode } from "./colours";

test("finds a colour by its name in any case, or by its last word", () => {
  expect(colourCode("Ink")).toBe("#23283a");
  expect(colourCode(" SEA GREEN ")).toBe("#5f9e8f");
  expect(colourCode("Forest Green")).toBe(colourCode("Green"));
});

test("unknown colours are null", () => {
  expect(colourCode("Octarine")).toBeNull();
  expect(colourCode("")).toBeNull();
  expect(colourCode("constructor")).toBeNull();
});

test("knows all colours of the demo shop", () => {
  const options = catalogue.products.flatMap((product) => product.options ?? []);
  const colours = new Set(options.flatMap(({ name, values }) => (name === "Colour" ? values : [])));
  expect([...colours].filter((colour) => colourCode(colour) === null)).toEqual([]);
});
