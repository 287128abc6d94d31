// Renders pages in Bangla, with a shop whose own texts are Bangla, and looks for Latin words and
// digits: a text that is not from messages/bn or stayed English there, a number that is not formatted.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { App } from "../src/app";
import { payProps, payStates } from "../src/features/payment/pay-samples";
import { NO_FILTERS } from "../src/features/search/listing-query";
import type { Page, Variant } from "../src/lib/api.gen";
import { setLanguage } from "../src/lib/language";
import { loadPage, pageComponent } from "../src/page-registry";
import { pages } from "./fixtures";
import { latinWords } from "./latin-words";

const MESSAGES = join(import.meta.dirname, "../../messages/bn");

const { home, category, search, product, blog, error, contact } = pages;
const NO_ORDER = { code: "not_found", params: { what: "order" } };
const nothing = { total: 0, products: [], chosen: NO_FILTERS };
const noProducts = { products: [], flash: [], total: 0 };

// Every state of a page that the server can render.
const CASES: [name: string, page: Page][] = [
  ["home", home],
  ["home of an empty shop", { ...home, props: { ...home.props, ...noProducts, slides: [] } }],
  ["home without slides", { ...home, props: { ...home.props, slides: [] } }],
  ["category", category],
  ["category without products", { ...category, props: { ...category.props, ...nothing } }],
  ["search", search],
  ["search in the grid", { ...search, props: { ...search.props, view: "grid", chosen: all() } }],
  ["search without facets", { ...search, props: { ...search.props, facets: null } }],
  ["search that nothing fits", { ...search, props: { ...search.props, total: 0, products: [] } }],
  ["search for nothing", { ...search, props: { ...search.props, q: "" } }],
  ["search without results", { ...search, props: { ...search.props, ...nothing, category: null } }],
  ["search with fewer words", fewerWords()],
  ["product", product],
  ["product that is out of stock", outOfStock()],
  ["product that is back-ordered", withVariant({ qtn: 0, backOrder: "2026-12-24T00:00:00.000Z" })],
  ["product with few left, and more to come", withVariant({ backOrder: "2026-12-24T00:00:00Z" })],
  ["product that does not exist as chosen", { ...product, props: missing() }],
  ["product reviewed by customers without names", namelessReviews()],
  ["wishlist", pages.wishlist],
  ["shared wishlist", pages["shared-wishlist"]],
  ["shared wishlist of nobody", nobodysWishlist()],
  ["blog", blog],
  ["blog without posts", { ...blog, props: { posts: [] } }],
  ["blog of a shop", { ...blog, shop: { ...blog.shop, demo: false } }],
  ["post", pages.post],
  ["about", pages.about],
  ["policy", pages.policy],
  ["policy from a template", templatePolicy()],
  ["not found", pages["not-found"]],
  ["error", error],
  ["error of a request", { ...error, props: { ...error.props, status: 404, ...NO_ORDER } }],
  ["offline", pages.offline],
  ...cartSteps(),
  ["checkout", pages.checkout],
  ["track", pages.track],
  ...paymentStates(),
  ["gift card", pages["gift-card"]],
  ["contact", contact],
  ["contact after the message was sent", { ...contact, props: { ...contact.props, sent: true } }],
  ...newsletterSteps(),
  ...stockAlertSteps(),
  ["login", pages.login],
  ["register", pages.register],
  ["sign up", pages.signup],
  ["link of an e-mail", pages["auth-action"]],
  ...accountTabs(),
];

// Namespaces and messages that tell programs about the language.
const TECHNICAL = new Set(["format.json", "language.json"]);
const SETTINGS = new Set(["textFont", "headingFont"]);

// The fixtures' texts for people, by their keys. Everything else is an id, a URL or a code.
const TEXTS = new Set(
  "name tagline address email title text more eyebrow linkText summary description fullDescription brand brands colour colours tags value values choice author alt body label message requestId sku delivery corrected q button reply".split(
    " ",
  ),
);

// Character codes of HTML and JSON.
const ESCAPES = /&#?\w+;|\\u\w{4}|\\n/g;

const HTML = new Set(["lead", "html"]);

test.each(CASES)("%s has no Latin words in Bangla", async (_, page) => {
  expect((await shownTexts(page)).flatMap((text) => latinWords(text))).toEqual([]);
});

// Also those that only a browser shows.
test("no message in Bangla has Latin words", () => {
  const files = readdirSync(MESSAGES).filter((file) => !TECHNICAL.has(file));
  const found = files.flatMap((file) => {
    const messages = JSON.parse(readFileSync(join(MESSAGES, file), "utf8")) as object;
    const texts = Object.entries(messages).filter(([key]) => !SETTINGS.has(key));
    return texts.flatMap(([key, message]) =>
      latinWords(literals(parse(message))).map((word) => `${file} ${key}: ${word}`),
    );
  });
  expect(found).toEqual([]);
});

function literals(elements: MessageFormatElement[]): string {
  return elements
    .map((element) => {
      if (element.type === TYPE.literal) return element.value;
      if (element.type === TYPE.tag) return literals(element.children);
      const branches = "options" in element ? Object.values(element.options) : [];
      return branches.map(({ value }) => literals(value)).join(" ");
    })
    .join(" ");
}

async function shownTexts(page: Page): Promise<string[]> {
  const shown = { ...(inBangla(page) as Page), language: "bn" };
  setLanguage(shown);
  await loadPage(shown.page);
  const component = pageComponent(shown.page);
  const html = renderToString(<App page={shown} component={component} />);
  setLanguage(page);
  return textsOf(html);
}

// Texts, attributes that are read out or shown, and the names in structured data.
function textsOf(html: string): string[] {
  const plain = html.replace(/<script[^>]*>.*?<\/script>|<!--.*?-->/gs, "");
  const attribute = /\s(?:aria-label|aria-roledescription|title|placeholder|alt)="([^"]*)"/g;
  const meta =
    /<meta (?:name="description"|property="og:(?:title|description)") content="([^"]*)"/g;
  const data = /"(?:name|headline|description|text)":"((?:[^"\\]|\\.)*)"/g;
  return [
    plain.replace(/<[^>]*>/g, "\n"),
    ...[...plain.matchAll(attribute), ...plain.matchAll(meta), ...html.matchAll(data)].map(
      ([, text = ""]) => text,
    ),
  ].map((text) => text.replace(ESCAPES, " "));
}

function inBangla(value: unknown, key = ""): unknown {
  if (typeof value === "string" && HTML.has(key))
    return banglaText(value, /<[^>]*>|[A-Za-z]+|[0-9]/g);
  if (typeof value === "string") return TEXTS.has(key) ? banglaText(value) : value;
  if (Array.isArray(value)) return value.map((one) => inBangla(one, key));
  if (typeof value !== "object" || value === null) return value;
  if (key === "options" && !("values" in value || "value" in value))
    return optionsInBangla(value as Record<string, string>);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, inBangla(inner, name)]),
  );
}

// The values of options, by their names.
function optionsInBangla(options: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [banglaText(name), banglaText(value)]),
  );
}

function banglaText(text: string, words = /[A-Za-z]+|[0-9]/g): string {
  return text.replace(words, (part) => {
    if (part.startsWith("<")) return part;
    return /\d/.test(part) ? "৭" : "কথা";
  });
}

function all() {
  const { chosen } = search.props;
  return { ...chosen, min: 20, max: 150, inStock: true, rating: 4, new: true, onOffer: true };
}

function fewerWords(): Page {
  return { ...search, props: { ...search.props, corrected: null, fewerWords: true } };
}

function outOfStock(): Page {
  const page = withVariant({ qtn: 0 });
  const summary = { rating: 0, count: 0, stars: [0, 0, 0, 0, 0] };
  const reviews = { ...page.props.reviews, reviews: [], summary };
  return { ...page, props: { ...page.props, reviews } };
}

// The chosen variant, so changed.
function withVariant(change: Partial<Variant>) {
  const { props } = product;
  const variants = props.variants.map((one) => ({ ...one, ...change }));
  return { ...product, props: { ...props, variants, variant: variants[0] ?? null } };
}

function missing() {
  return { ...product.props, variants: product.props.variants.slice(1), variant: null };
}

function namelessReviews(): Page {
  const { reviews } = product.props;
  const nameless = reviews.reviews.map((review) => ({ ...review, name: "" }));
  return { ...product, props: { ...product.props, reviews: { ...reviews, reviews: nameless } } };
}

function nobodysWishlist(): Page {
  const page = pages["shared-wishlist"];
  return { ...page, props: { name: "", products: [] } };
}

function templatePolicy(): Page {
  const { article } = pages.policy.props;
  return {
    ...pages.policy,
    props: { policy: "privacy", article: { ...article, template: true } },
  };
}

function cartSteps(): [name: string, page: Page][] {
  const steps = ["cart", "checkout", "completed"] as const;
  return steps.map((step) => [`cart: ${step}`, { ...pages.cart, props: { step } }]);
}

function paymentStates(): [name: string, page: Page][] {
  const page = pages.pay;
  return Object.entries(payStates).map(([name, state]) => [
    `payment: ${name}`,
    { ...page, props: payProps(state) },
  ]);
}

function newsletterSteps(): [name: string, page: Page][] {
  const steps = ["form", "sent", "confirm", "confirmed", "leave", "left", "stale"] as const;
  return steps.flatMap((moment) => inBothShops({ ...pages.newsletter, props: { moment } }, moment));
}

function stockAlertSteps(): [name: string, page: Page][] {
  const steps = ["asked", "leave", "left", "stale"] as const;
  const page = pages["back-in-stock"];
  return steps.flatMap((moment) => inBothShops({ ...page, props: { moment } }, moment));
}

function accountTabs(): [name: string, page: Page][] {
  const tabs = ["dashboard", "orders", "order", "credit", "profile"] as const;
  return tabs.map((tab) => [`account: ${tab}`, { ...pages.account, props: { tab } }]);
}

// A shop that sends e-mail, and one that does not.
function inBothShops(page: Page, step: string): [name: string, page: Page][] {
  return [true, false].map((sendsEmail) => [
    `${page.page}: ${step}${sendsEmail ? "" : " without e-mail"}`,
    { ...page, shop: { ...page.shop, sendsEmail } },
  ]);
}
