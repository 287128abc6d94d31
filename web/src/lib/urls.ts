// URLs of the shop's pages, in the language of the page.
import * as common from "messages/common";
import type { Page } from "./api.gen";
import { localUrl, splitLanguage } from "./language";

// `path` is without the language's prefix, like a page's `url`.
export const SITE_LINKS = [
  { name: common.home, path: "/" },
  { name: common.about, path: "/about" },
  { name: common.cart, path: "/cart" },
  { name: common.blog, path: "/blog" },
  { name: common.contact, path: "/contact" },
];

// The URL of the page itself, whose `url` is without the language's prefix.
export function pageUrl({ url, language }: Pick<Page, "url" | "language">): string {
  return localUrl(url, language);
}

// The cart page's later steps.
export const checkoutUrl = () => localUrl("/cart?step=checkout");
export const completedUrl = () => localUrl("/cart?step=completed");

export function productUrl(id: string, params: string[] = []): string {
  return localUrl(productPath(id, params));
}

// `params` are encoded: "colour=Chalk".
export function productPath(id: string, params: string[] = []): string {
  const query = params.length === 0 ? "" : `?${params.join("&")}`;
  return `/product/${encodeURIComponent(id)}${query}`;
}

type Line = { _id: string; product: string; options: Record<string, string> };

// The page of what a line of a cart or an order names: its product, with its variant chosen.
export function variantUrl({ _id, product, options }: Line): string {
  const chosen = Object.keys(options).length > 0 || _id !== product;
  return productUrl(product, chosen ? [`variant=${encodeURIComponent(_id)}`] : []);
}

export function categoryUrl(id: string): string {
  return localUrl(`/category/${encodeURIComponent(id)}`);
}

// A new search; features/search/listing-query.ts adds filters and sorting.
export function searchUrl(q: string, category = ""): string {
  const within = category === "" ? "" : `&category=${encodeURIComponent(category)}`;
  return localUrl(`/search?q=${encodeURIComponent(q)}${within}`);
}

// Everything that is on sale.
export const offersUrl = () => localUrl("/search?offer=1");

// Returns to `from` after signing in; home is the default.
export function loginUrl(from = "/"): string {
  return localUrl(`/login${returnParam(from)}`);
}

export function signupUrl(from = "/"): string {
  return localUrl(`/signup${returnParam(from)}`);
}

// Where to go back to afterwards.
function returnParam(from: string): string {
  const [, path] = splitLanguage(from);
  return path === "/" ? "" : `?from=${encodeURIComponent(localUrl(path))}`;
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
  return localUrl(`/blog/${slug}`);
}

// The URL of a list in any other currency: without a price filter, which is in the present one.
export function withoutPriceFilter(address: string): string {
  return address.replace(/([?&])(?:(?:min|max)=[^&]*&?)+/, "$1").replace(/[?&]$/, "");
}

// A link in the shop's content: to one of our pages, or to anywhere else.
export function contentUrl(link: string): string {
  const [, path] = splitLanguage(link);
  return /^\/(?!\/|api\/|assets\/|media\/)/.test(link) ? localUrl(path) : link;
}

// A `tel:` link.
export function phoneUrl(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, "")}`;
}

export function trackUrl(number: string): string {
  return localUrl(`/track?number=${encodeURIComponent(number)}`);
}

export function orderUrl(number: string): string {
  return localUrl(`/account/orders/${encodeURIComponent(number)}`);
}

// The order number in the URL of an order's page, which a person may have typed.
export function orderNumberOf(path: string): string | null {
  const [, plain] = splitLanguage(path);
  const [, written] = /^\/account\/orders\/([^/]+)\/?$/.exec(plain) ?? [];
  try {
    return written === undefined ? null : decodeURIComponent(written).toUpperCase();
  } catch {
    return null;
  }
}
