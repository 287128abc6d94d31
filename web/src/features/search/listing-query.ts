// The listing query: search words, filters, sorting and page, and their canonical URL, the same
// that the server writes: fixed order, no defaults.
import * as common from "messages/common";
import * as m from "messages/search";
import type {
  Chosen,
  Count,
  Currency,
  Facets,
  NamedValue,
  Shop,
  Sort,
  ValueCounts,
  View,
} from "../../lib/api.gen";
import { localUrl } from "../../lib/language";
import { format } from "../../lib/money";
import type { PageOf } from "../../lib/page";
import { categoryUrl } from "../../lib/urls";

export const SIZES = [2, 16, 20, 24];
const DEFAULT_SIZE = 16;

export const SORTS: { value: Sort; label: () => string }[] = [
  { value: "default", label: m.sortDefault },
  { value: "price-asc", label: m.sortPriceUp },
  { value: "price-desc", label: m.sortPriceDown },
  { value: "best", label: m.sortBest },
  { value: "relevance", label: m.sortRelevance },
];

export type ListingPage = PageOf<"category"> | PageOf<"search">;

export type ListingQuery = {
  // The URL of the category or of the search, without parameters.
  path: string;
  q: string;
  // Null on category pages too.
  category: string | null;
  chosen: Chosen;
  sort: Sort;
  size: number;
  page: number;
  view: View;
};

export const NO_FILTERS: Chosen = {
  brands: [],
  colours: [],
  options: [],
  attributes: [],
  min: null,
  max: null,
  inStock: false,
  rating: null,
  new: false,
  onOffer: false,
};

export function listingQuery(page: ListingPage): ListingQuery {
  const { chosen, sort, size, view, pageNumber } = page.props;
  const place =
    page.page === "search"
      ? { path: localUrl("/search"), q: page.props.q, category: page.props.category }
      : { path: categoryUrl(page.props.category._id), q: "", category: null };
  return { ...place, chosen, sort, size, view, page: pageNumber };
}

type Param = [name: string, value: string];

export function queryPairs({ q, category, chosen, sort, size, page, view }: ListingQuery): Param[] {
  const defaultSort = q === "" ? "default" : "relevance";
  const params: [name: string, value: string | number | null][] = [
    ["q", q || null],
    ["category", category],
    ...chosen.brands.toSorted().map((brand): Param => ["brand", brand]),
    ...chosen.colours.toSorted().map((colour): Param => ["colour", colour]),
    ...chosen.options.toSorted(byName).map((option): Param => ["option", namedValue(option)]),
    ...chosen.attributes.toSorted(byName).map((one): Param => ["attribute", namedValue(one)]),
    ["min", chosen.min],
    ["max", chosen.max],
    ["stock", chosen.inStock ? "in" : null],
    ["rating", chosen.rating],
    ["new", chosen.new ? 1 : null],
    ["offer", chosen.onOffer ? 1 : null],
    ["sort", sort === defaultSort ? null : sort],
    ["size", size === DEFAULT_SIZE ? null : size],
    ["page", page === 1 ? null : page],
    ["view", view === "list" ? view : null],
  ];
  return params.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
}

// A value in the URL, like Size:M.
export function namedValue({ name, value }: NamedValue): string {
  return `${name}:${value}`;
}

function byName(one: NamedValue, other: NamedValue): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  if (one.value === other.value) return 0;
  return one.value < other.value ? -1 : 1;
}

export function listingUrl(query: ListingQuery): string {
  const pairs = queryPairs(query).map(([name, value]) => `${name}=${encode(value)}`);
  return pairs.length === 0 ? query.path : `${query.path}?${pairs.join("&")}`;
}

// encodeURIComponent leaves a few characters that the server escapes.
function encode(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

// With a change, back to the first page.
export function withChange(query: ListingQuery, change: Partial<ListingQuery>): ListingQuery {
  return { ...query, page: 1, ...change };
}

export function unfiltered(query: ListingQuery): ListingQuery {
  return withChange(query, { category: null, chosen: NO_FILTERS });
}

export type ActiveFilter = { label: string; without: ListingQuery };

// The active filters, each with the query without it.
export function activeFilters(
  query: ListingQuery,
  shop: { categories: Pick<Shop["categories"][number], "_id" | "name">[]; currency: Currency },
  facets: Pick<Facets, "colours" | "options" | "attributes"> | null = null,
): ActiveFilter[] {
  const { category, chosen } = query;
  const { brands, colours, options, attributes, min, max, rating } = chosen;
  const chip = (label: string, change: Partial<Chosen>): ActiveFilter => ({
    label,
    without: withChange(query, { chosen: { ...chosen, ...change } }),
  });
  const filters: ActiveFilter[] = [];
  if (category !== null) {
    const name = shop.categories.find(({ _id }) => _id === category)?.name ?? category;
    filters.push({
      label: m.inCategory({ category: name }),
      without: withChange(query, { category: null }),
    });
  }
  filters.push(...brands.map((brand) => chip(brand, { brands: without(brands, brand) })));
  filters.push(
    ...colours.map((colour) =>
      chip(shownValue(facets?.colours, colour), { colours: without(colours, colour) }),
    ),
    ...options.map((option) =>
      chip(shownNamed(facets?.options, option), { options: without(options, option) }),
    ),
    ...attributes.map((one) =>
      chip(shownNamed(facets?.attributes, one), { attributes: without(attributes, one) }),
    ),
  );
  if (min !== null || max !== null)
    filters.push(chip(span(min, max, shop.currency), { min: null, max: null }));
  if (chosen.inStock) filters.push(chip(common.inStock(), { inStock: false }));
  if (rating !== null) filters.push(chip(m.starsAndUp({ rating }), { rating: null }));
  if (chosen.new) filters.push(chip(m.newArrivals(), { new: false }));
  if (chosen.onOffer) filters.push(chip(m.onOffer(), { onOffer: false }));
  return filters;
}

function span(least: number | null, most: number | null, currency: Currency): string {
  const min = format(least ?? 0, currency, true);
  if (most === null) return m.priceFrom({ min });
  const max = format(most, currency, true);
  return least === null ? m.priceUpTo({ max }) : m.priceSpan({ min, max });
}

function shownNamed(facets: ValueCounts[] | undefined, { name, value }: NamedValue): string {
  const facet = facets?.find((facet) => facet.name === name);
  return m.namedValue({ name: facet?.label ?? name, value: shownValue(facet?.values, value) });
}

// A value in the page's language.
function shownValue(counts: Count[] | undefined, value: string): string {
  return counts?.find((count) => count.value === value)?.name ?? value;
}

function without<T>(values: T[], value: T): T[] {
  return values.filter((other) => other !== value);
}
