// What a shopper chose from a list of products, and its one address, the same that the server writes:
// in one order, without what goes without saying.
import type { Chosen, Sort, View } from "../api.gen";
import { grouped } from "../money";
import type { PageOf } from "../page";
import { categoryUrl } from "../urls";

export const SIZES = [2, 16, 20, 24];
const USUAL_SIZE = 16;

export const SORTS: { value: Sort; label: string }[] = [
  { value: "default", label: "Default" },
  { value: "price-asc", label: "Price low to high" },
  { value: "price-desc", label: "Price high to low" },
  { value: "best", label: "Best match" },
  { value: "relevance", label: "Relevance" },
];

export type ListingPage = PageOf<"category"> | PageOf<"search">;

export type Choice = {
  // The list that is chosen from: a category's page, or the search.
  path: string;
  q: string;
  // Null also where the page itself is a category's.
  category: string | null;
  chosen: Chosen;
  sort: Sort;
  size: number;
  page: number;
  view: View;
};

export const NOTHING: Chosen = {
  brands: [],
  colours: [],
  min: null,
  max: null,
  inStock: false,
  rating: null,
  new: false,
  onOffer: false,
};

export function choiceOf(page: ListingPage): Choice {
  const { chosen, sort, size, view, pageNumber } = page.props;
  const place =
    page.page === "search"
      ? { path: "/search", q: page.props.q, category: page.props.category }
      : { path: categoryUrl(page.props.category._id), q: "", category: null };
  return { ...place, chosen, sort, size, view, page: pageNumber };
}

type Param = [name: string, value: string];

export function paramsOf({ q, category, chosen, sort, size, page, view }: Choice): Param[] {
  const usualSort = q === "" ? "default" : "relevance";
  const params: [name: string, value: string | number | null][] = [
    ["q", q || null],
    ["category", category],
    ...chosen.brands.toSorted().map((brand): Param => ["brand", brand]),
    ...chosen.colours.toSorted().map((colour): Param => ["colour", colour]),
    ["min", chosen.min],
    ["max", chosen.max],
    ["stock", chosen.inStock ? "in" : null],
    ["rating", chosen.rating],
    ["new", chosen.new ? 1 : null],
    ["offer", chosen.onOffer ? 1 : null],
    ["sort", sort === usualSort ? null : sort],
    ["size", size === USUAL_SIZE ? null : size],
    ["page", page === 1 ? null : page],
    ["view", view === "list" ? view : null],
  ];
  return params.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
}

export function listingUrl(choice: Choice): string {
  const query = paramsOf(choice).map(([name, value]) => `${name}=${encoded(value)}`);
  return query.length === 0 ? choice.path : `${choice.path}?${query.join("&")}`;
}

// JavaScript leaves a few marks as they are that the server does not.
function encoded(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

// The same list from its start, with something else chosen.
export function changed(choice: Choice, change: Partial<Choice>): Choice {
  return { ...choice, page: 1, ...change };
}

export function unfiltered(choice: Choice): Choice {
  return changed(choice, { category: null, chosen: NOTHING });
}

export type Chip = { label: string; without: Choice };

// What is on, each with what stays when it is taken away.
export function chipsOf(choice: Choice, categories: { _id: string; name: string }[]): Chip[] {
  const { category, chosen } = choice;
  const { brands, colours, min, max, rating } = chosen;
  const chip = (label: string, change: Partial<Chosen>): Chip => ({
    label,
    without: changed(choice, { chosen: { ...chosen, ...change } }),
  });
  const chips: Chip[] = [];
  if (category !== null) {
    const name = categories.find(({ _id }) => _id === category)?.name ?? category;
    chips.push({ label: `In ${name}`, without: changed(choice, { category: null }) });
  }
  chips.push(...brands.map((brand) => chip(brand, { brands: without(brands, brand) })));
  chips.push(...colours.map((colour) => chip(colour, { colours: without(colours, colour) })));
  if (min !== null || max !== null) chips.push(chip(span(min, max), { min: null, max: null }));
  if (chosen.inStock) chips.push(chip("In stock", { inStock: false }));
  if (rating !== null) chips.push(chip(starsAndUp(rating), { rating: null }));
  if (chosen.new) chips.push(chip("New arrivals", { new: false }));
  if (chosen.onOffer) chips.push(chip("On offer", { onOffer: false }));
  return chips;
}

export function starsAndUp(rating: number): string {
  return rating === 1 ? "1 star and up" : `${rating} stars and up`;
}

function span(min: number | null, max: number | null): string {
  if (max === null) return `From $${min}`;
  return min === null ? `Up to $${max}` : `$${min} to $${max}`;
}

function without(values: string[], value: string): string[] {
  return values.filter((other) => other !== value);
}

export function productCount(total: number): string {
  return `${grouped(total)} ${total === 1 ? "product" : "products"}`;
}
