// URLs of the shop's pages.

export const SITE_LINKS = [
  { name: "Home", url: "/" },
  { name: "About", url: "/about" },
  { name: "Cart", url: "/cart" },
  { name: "Blog", url: "/blog" },
  { name: "Contact", url: "/contact" },
];

// The cart page's later steps.
export const CHECKOUT = "/cart?step=checkout";
export const COMPLETED = "/cart?step=completed";

export function productUrl(id: string): string {
  return `/product/${encodeURIComponent(id)}`;
}

export function categoryUrl(id: string): string {
  return `/category/${encodeURIComponent(id)}`;
}

// A new search; features/search/listing-query.ts adds filters and sorting.
export function searchUrl(q: string, category = ""): string {
  const within = category === "" ? "" : `&category=${encodeURIComponent(category)}`;
  return `/search?q=${encodeURIComponent(q)}${within}`;
}

// Everything that is on sale.
export const OFFERS = "/search?offer=1";

// Returns to `from` after signing in; home is the default.
export function loginUrl(from = "/"): string {
  return from === "/" ? "/login" : `/login?from=${encodeURIComponent(from)}`;
}

// Page numbers to link to: the ends, the current one and its neighbours; null is a gap.
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

// A `tel:` link.
export function phoneUrl(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, "")}`;
}

export function trackUrl(number: string): string {
  return `/track?number=${encodeURIComponent(number)}`;
}

export function orderUrl(number: string): string {
  return `/account/orders/${encodeURIComponent(number)}`;
}

// The order number in the URL of an order's page, which a person may have typed.
export function orderNumberOf(path: string): string | null {
  const [, written] = /^\/account\/orders\/([^/]+)\/?$/.exec(path) ?? [];
  try {
    return written === undefined ? null : decodeURIComponent(written).toUpperCase();
  } catch {
    return null;
  }
}
