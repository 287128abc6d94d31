// The shop's addresses.

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

export function categoryUrl(id: string): string {
  return `/category/${encodeURIComponent(id)}`;
}

// A search as it begins; lib/finding/choice.ts has what can be chosen further.
export function searchUrl(q: string, category = ""): string {
  const within = category === "" ? "" : `&category=${encodeURIComponent(category)}`;
  return `/search?q=${encodeURIComponent(q)}${within}`;
}

// Everything that costs less than usual now.
export const OFFERS = "/search?offer=1";

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

export function orderUrl(number: string): string {
  return `/account/orders/${encodeURIComponent(number)}`;
}

// The number in the address of an order's page, as people may write it.
export function orderNumberOf(path: string): string | null {
  const [, written] = /^\/account\/orders\/([^/]+)\/?$/.exec(path) ?? [];
  try {
    return written === undefined ? null : decodeURIComponent(written).toUpperCase();
  } catch {
    return null;
  }
}
