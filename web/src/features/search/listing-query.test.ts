import { expect, test } from "vitest";
import {
  activeFilters,
  type ListingQuery,
  listingUrl,
  NO_FILTERS,
  unfiltered,
  withChange,
} from "./listing-query";

const CATEGORY: ListingQuery = {
  path: "/category/audio",
  q: "",
  category: null,
  chosen: NO_FILTERS,
  sort: "default",
  size: 16,
  page: 1,
  view: "grid",
};
const SEARCH: ListingQuery = { ...CATEGORY, path: "/search", q: "desk lamp", sort: "relevance" };
const SHOP = { categories: [], currency: "USD" };
const EVERYTHING: ListingQuery = {
  ...SEARCH,
  category: "lighting",
  chosen: {
    brands: ["Veldrun", "Caldreth"],
    colours: ["Sea Green", "Ink"],
    options: [
      { name: "Storage", value: "512 GB" },
      { name: "Storage", value: "1 TB" },
      { name: "Fit", value: "Slim" },
    ],
    attributes: [{ name: "Finish", value: "Oil: matt" }],
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

test("leaves defaults out of the URL", () => {
  expect(listingUrl(CATEGORY)).toBe("/category/audio");
  expect(listingUrl(SEARCH)).toBe("/search?q=desk%20lamp");
  expect(listingUrl({ ...SEARCH, sort: "default" })).toBe("/search?q=desk%20lamp&sort=default");
  expect(listingUrl({ ...CATEGORY, sort: "relevance" })).toBe("/category/audio?sort=relevance");
});

test("writes parameters in a fixed order", () => {
  expect(listingUrl(EVERYTHING)).toBe(
    "/search?q=desk%20lamp&category=lighting&brand=Caldreth&brand=Veldrun&colour=Ink" +
      "&colour=Sea%20Green&option=Fit%3ASlim&option=Storage%3A1%20TB&option=Storage%3A512%20GB" +
      "&attribute=Finish%3AOil%3A%20matt&min=0&max=150&stock=in&rating=4&new=1&offer=1&sort=price-asc&size=24&page=2&view=list",
  );
});

test("escapes words as the server does", () => {
  expect(listingUrl({ ...SEARCH, q: "a&b='(c)*!~হাট" })).toBe(
    "/search?q=a%26b%3D%27%28c%29%2A%21~%E0%A6%B9%E0%A6%BE%E0%A6%9F",
  );
});

test("a change starts at the first page", () => {
  expect(withChange(EVERYTHING, { view: "grid" })).toMatchObject({ page: 1, view: "grid" });
  expect(listingUrl(unfiltered(EVERYTHING))).toBe(
    "/search?q=desk%20lamp&sort=price-asc&size=24&view=list",
  );
});

test("removing a filter removes only that one", () => {
  const filters = activeFilters(EVERYTHING, {
    ...SHOP,
    categories: [{ _id: "lighting", name: "Lighting" }],
  });
  expect(filters.map(({ label }) => label)).toEqual([
    "In Lighting",
    "Veldrun",
    "Caldreth",
    "Sea Green",
    "Ink",
    "Storage: 512 GB",
    "Storage: 1 TB",
    "Fit: Slim",
    "Finish: Oil: matt",
    "$0 to $150",
    "In stock",
    "4 stars and up",
    "New arrivals",
    "On offer",
  ]);
  const rest = (label: string) => filters.find((chip) => chip.label === label)?.without;
  expect(rest("In Lighting")).toEqual({ ...EVERYTHING, page: 1, category: null });
  expect(rest("Veldrun")?.chosen).toEqual({ ...EVERYTHING.chosen, brands: ["Caldreth"] });
  expect(rest("Storage: 1 TB")?.chosen.options.map(({ value }) => value)).toEqual([
    "512 GB",
    "Slim",
  ]);
  expect(rest("Finish: Oil: matt")?.chosen.attributes).toEqual([]);
  expect(rest("$0 to $150")?.chosen).toEqual({ ...EVERYTHING.chosen, min: null, max: null });
  expect(rest("New arrivals")?.chosen.inStock).toBe(true);
});

test("names filters as the facets do", () => {
  const storage = { value: "1 TB", name: "১ টিবি", count: 2 };
  const facets = {
    colours: [{ value: "Ink", name: "কালি নীল", count: 1 }],
    options: [{ name: "Storage", label: "স্টোরেজ", values: [storage] }],
    attributes: [],
  };
  const filters = activeFilters({ ...EVERYTHING, category: null }, SHOP, facets);
  const labels = filters.map(({ label }) => label);
  expect(labels).toEqual(expect.arrayContaining(["কালি নীল", "স্টোরেজ: ১ টিবি", "Fit: Slim"]));
});

test.each([
  ["USD", 20, null, "From $20"],
  ["USD", null, 150, "Up to $150"],
  ["USD", 20, 1500, "$20 to $1,500"],
  ["BDT", 2000, 18_000, "৳2,000 to ৳18,000"],
  ["CHF", null, 150, "Up to CHF\u00a0150"],
])("describes prices in %s from %s to %s", (currency, min, max, label) => {
  const query = { ...CATEGORY, chosen: { ...NO_FILTERS, min, max } };
  const filters = activeFilters(query, { ...SHOP, currency });
  expect(filters).toMatchObject([{ label }]);
});
