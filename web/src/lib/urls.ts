// The shop's addresses. What is the default stays out of them, so that one list has one address.
import type { Sort } from "./api.gen";

export const SIZES = [2, 16, 20, 24];
export const DEFAULT_SIZE = 16;

export const SORTS: { value: Sort; label: string }[] = [
  { value: "default", label: "Default" },
  { value: "price-asc", label: "Price low to high" },
  { value: "price-desc", label: "Price high to low" },
  { value: "best", label: "Best match" },
  { value: "relevance", label: "Relevance" },
];

export const SITE_LINKS = [
  { name: "Home", url: "/" },
  { name: "About", url: "/about" },
  { name: "Cart", url: "/cart" },
  { name: "Blog", url: "/blog" },
  { name: "Contact", url: "/contact" },
];

// The cart's steps behind the first.
export const CHECKOUT = "/cart?step=checkout";
export const COMPLETED = "/cart?step=completed";

export function productUrl(id: string): string {
  return `/product/${encodeURIComponent(id)}`;
}

type Listing = { sort: Sort; size: number; page: number };

export function categoryUrl(id: string, listing: Partial<Listing> = {}): string {
  const { sort = "default", size = DEFAULT_SIZE, page = 1 } = listing;
  const query = [
    sort === "default" ? "" : `sort=${sort}`,
    size === DEFAULT_SIZE ? "" : `size=${size}`,
    page === 1 ? "" : `page=${page}`,
  ].filter((part) => part !== "");
  const path = `/category/${encodeURIComponent(id)}`;
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

// Back to `from` after signing in; home is where one goes anyway.
export function loginUrl(from = "/"): string {
  return from === "/" ? "/login" : `/login?from=${encodeURIComponent(from)}`;
}

// Pages to link to: the ends, the current one and its neighbours; null stands for a gap.
export function pageWindow(current: number, pages: number): (number | null)[] {
  const wanted = [1, current - 1, current, current + 1, pages];
  const shown = [...new Set(wanted)].filter((page) => page >= 1 && page <= pages);
  return shown.flatMap((page, at) => {
    const before = shown[at - 1];
    if (before === undefined || page === before + 1) return [page];
    return page === before + 2 ? [page - 1, page] : [null, page];
  });
}

export function postUrl(slug: string): string {
  return `/blog/${slug}`;
}

// What a telephone dials.
export function phoneUrl(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, "")}`;
}

export function trackUrl(number: string): string {
  return `/track?number=${encodeURIComponent(number)}`;
}
