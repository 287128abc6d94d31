import { expect, test } from "vitest";
import { type Choice, changed, chipsOf, listingUrl, NOTHING, unfiltered } from "./choice";

const CATEGORY: Choice = {
  path: "/category/audio",
  q: "",
  category: null,
  chosen: NOTHING,
  sort: "default",
  size: 16,
  page: 1,
  view: "grid",
};
const SEARCH: Choice = { ...CATEGORY, path: "/search", q: "desk lamp", sort: "relevance" };
const EVERYTHING: Choice = {
  ...SEARCH,
  category: "lighting",
  chosen: {
    brands: ["Veldrun", "Caldreth"],
    colours: ["Sea Green", "Ink"],
    min: 0,
    max: 150,
    inStock: true,
    rating: 4,
    new: true,
    onOffer: true,
  },
  sort: "price-asc",
  size: 24,
  page: 2,
  view: "list",
};

test("what goes without saying stays out of an address", () => {
  expect(listingUrl(CATEGORY)).toBe("/category/audio");
  expect(listingUrl(SEARCH)).toBe("/search?q=desk%20lamp");
  expect(listingUrl({ ...SEARCH, sort: "default" })).toBe("/search?q=desk%20lamp&sort=default");
  expect(listingUrl({ ...CATEGORY, sort: "relevance" })).toBe("/category/audio?sort=relevance");
});

test("everything else stands in one order", () => {
  expect(listingUrl(EVERYTHING)).toBe(
    "/search?q=desk%20lamp&category=lighting&brand=Caldreth&brand=Veldrun&colour=Ink" +
      "&colour=Sea%20Green&min=0&max=150&stock=in&rating=4&new=1&offer=1&sort=price-asc&size=24&page=2&view=list",
  );
});

test("words are written as the server writes them", () => {
  expect(listingUrl({ ...SEARCH, q: "a&b='(c)*!~হাট" })).toBe(
    "/search?q=a%26b%3D%27%28c%29%2A%21~%E0%A6%B9%E0%A6%BE%E0%A6%9F",
  );
});

test("another choice starts at the first page", () => {
  expect(changed(EVERYTHING, { view: "grid" })).toMatchObject({ page: 1, view: "grid" });
  expect(listingUrl(unfiltered(EVERYTHING))).toBe(
    "/search?q=desk%20lamp&sort=price-asc&size=24&view=list",
  );
});

test("a chip takes away what it names, and nothing else", () => {
  const chips = chipsOf(EVERYTHING, [{ _id: "lighting", name: "Lighting" }]);
  expect(chips.map(({ label }) => label)).toEqual([
    "In Lighting",
    "Veldrun",
    "Caldreth",
    "Sea Green",
    "Ink",
    "$0 to $150",
    "In stock",
    "4 stars and up",
    "New arrivals",
    "On offer",
  ]);
  const rest = (label: string) => chips.find((chip) => chip.label === label)?.without;
  expect(rest("In Lighting")).toEqual({ ...EVERYTHING, page: 1, category: null });
  expect(rest("Veldrun")?.chosen).toEqual({ ...EVERYTHING.chosen, brands: ["Caldreth"] });
  expect(rest("$0 to $150")?.chosen).toEqual({ ...EVERYTHING.chosen, min: null, max: null });
  expect(rest("New arrivals")?.chosen.inStock).toBe(true);
});

test.each([
  [20, null, "From $20"],
  [null, 150, "Up to $150"],
  [20, 150, "$20 to $150"],
])("prices from %s to %s read", (min, max, label) => {
  const chips = chipsOf({ ...CATEGORY, chosen: { ...NOTHING, min, max } }, []);
  expect(chips).toMatchObject([{ label }]);
});
