// The server bundle as QuickJS runs it: with nothing but a console.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import vm from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { payProps, payStates } from "../src/features/payment/pay-samples";
import type { Page } from "../src/lib/api.gen";
import { allPages, cards, pages, plainCategory, product, variants } from "./fixtures";

type Render = (json: string) => [head: string, body: string];

const web = join(import.meta.dirname, "..");

const NO_REVIEWS = { rating: 0, count: 0, stars: [0, 0, 0, 0, 0] };

describe.each(["production", "development"])("the %s build", (mode) => {
  const folder = mkdtempSync(join(tmpdir(), "haat-render-"));
  const complaints: unknown[][] = [];
  let render: Render;

  beforeAll(() => {
    const vite = join(web, "node_modules/vite/bin/vite.js");
    const options = ["build", "--ssr", "--mode", mode, "--outDir", folder, "--logLevel", "error"];
    execFileSync(process.execPath, [vite, ...options], {
      cwd: web,
      env: { ...process.env, NODE_ENV: mode },
    });
    const complain = (...words: unknown[]) => complaints.push(words);
    const bare = vm.createContext({ console: { log: complain, warn: complain, error: complain } });
    // A Node context has a few globals that QuickJS lacks.
    vm.runInContext("for (const name of ['Intl', 'WebAssembly']) delete globalThis[name]", bare);
    // React's development build reads the clock; our output must not depend on it.
    vm.runInContext(
      "let day = 0; Date.now = () => (day += 86_400_000); Math.random = Date.now",
      bare,
    );
    vm.runInContext(readFileSync(join(folder, "server.js"), "utf8"), bare);
    render = bare.render as Render;
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(allPages.map((page) => [page.page, page] as const))("renders %s", (_, page) => {
    const [head, body] = render(JSON.stringify(page));
    expect(head).toMatch(/<title>[^<]+<\/title>/);
    expect(head).toContain('<meta name="description"');
    expect(body).not.toMatch(/<(title|meta|link)\b/);
    expect(body.match(/<h1[ >]/g)).toHaveLength(1);
    expect(body).toContain('<main id="main"');
    expect(body).not.toContain("undefined");
    expect(render(JSON.stringify(page))).toEqual([head, body]);
    expect(complaints).toEqual([]);
  });

  test("mentions no e-mails where none can be sent", () => {
    const silent = (page: Page) => ({ ...page, shop: { ...page.shop, sendsEmail: false } });
    const rendered = (page: Page) => render(JSON.stringify(silent(page)))[1];
    const sent = { ...pages.newsletter, props: { moment: "sent" } } as Page;
    expect(rendered(sent)).toContain("No e-mail could be sent");
    const asked = { ...pages["back-in-stock"], props: { moment: "asked" } } as Page;
    expect(rendered(asked)).toContain("So we cannot tell you when it is back.");
    expect(rendered(asked)).not.toContain("We will write to you");
    const contact = { ...pages.contact, props: { ...pages.contact.props, sent: true } } as Page;
    expect(rendered(contact)).not.toContain("receipt");
    expect(rendered(pages.home)).toContain("This shop cannot send e-mail yet.");
    expect(rendered(pages.home)).not.toContain('action="/newsletter"');
    expect(rendered(pages.home)).not.toContain("Subscribe");
  });

  test("offers the providers that are set up", () => {
    const offering = (...providers: Page["shop"]["identity"]["providers"]) => {
      const { shop } = pages.login;
      const page = { ...pages.login, shop: { ...shop, identity: { ...shop.identity, providers } } };
      return render(JSON.stringify(page))[1].match(/data-provider="[^"]+"/g);
    };
    expect(offering("google.com")).toEqual(['data-provider="google.com"']);
    expect(offering()).toBeNull();
  });

  test("describes a product to search engines, in markup that its text cannot break", () => {
    const [head, body] = render(JSON.stringify(pages.product));
    expect(head).toContain('<link rel="canonical" href="https://shop.example/product/headphones"');
    expect(body).not.toContain("<b>Not markup");
    const blocks = [...body.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)];
    const data = blocks.map(([, json]) => JSON.parse(json ?? ""));
    expect(data.map((one) => one["@type"])).toEqual(["ProductGroup", "BreadcrumbList"]);
    expect(data[0].description).toBe(product.fullDescription);
    expect(data[0].hasVariant[0].offers.price).toBe("199.00");
    expect(data[0].aggregateRating).toMatchObject({ ratingValue: 4.33, reviewCount: 12 });
    expect(data[0].review[0].author.name).toBe("Mina </script><i>Das</i>");
    expect(body).not.toContain("<b>sit");
    const unrated = structuredClone(pages.product);
    unrated.props.reviews = { ...unrated.props.reviews, summary: NO_REVIEWS, reviews: [] };
    const [, alone] = render(JSON.stringify(unrated));
    expect(alone).not.toContain("aggregateRating");
    expect(alone).toContain("No one has written yet");
  });

  test("a product's options are links, in the chosen one of which it is shown", () => {
    const { props } = pages.product;
    const [, body] = render(JSON.stringify(pages.product));
    expect(body).toMatch(/<a [^>]*href="\/product\/headphones\?colour=Ivory"[^>]*aria-current/);
    expect(body).toMatch(/<a [^>]*href="\/product\/headphones\?colour=Graphite"[^>]*soldOut/);
    expect(body).toContain("GH-HP-Ivory");
    const chosen: Page = {
      ...pages.product,
      url: "/product/headphones?colour=Graphite",
      props: { ...props, choice: ["Graphite"], variant: variants[1] },
    };
    const [head, graphite] = render(JSON.stringify(chosen));
    expect(head).toContain('<link rel="canonical" href="https://shop.example/product/headphones"');
    expect(graphite).toContain("GH-HP-Graphite");
    expect(graphite).toMatch(/<input type="hidden" name="product" value="01jcq5"/);
    expect(graphite).toMatch(/<input type="hidden" name="colour" value="Graphite"/);
    // Its picture leads.
    expect(graphite).toMatch(/<li id="picture-1"[^>]*>(?:(?!<\/li>).)*headphones_1/);
    const nothing: Page = {
      ...chosen,
      props: { ...props, variants: variants.slice(0, 1), choice: ["Graphite"], variant: null },
    };
    const [, none] = render(JSON.stringify(nothing));
    expect(none).toContain("This combination is not available.");
    expect(none).toMatch(/<button[^>]*disabled=""[^>]*>Not available<\/button>/);
  });

  test("sets noindex where there is nothing to index", () => {
    const [head] = render(JSON.stringify(pages["not-found"]));
    expect(head).toContain('<meta name="robots" content="noindex"');
    expect(head).not.toContain("canonical");
  });

  test("renders all tabs of a product, and says what needs JavaScript", () => {
    const [, product] = render(JSON.stringify(pages.product));
    for (const part of ["memory foam", "30 hours", "The case is large"]) {
      expect(product).toContain(part);
    }
    expect(product).toContain("The cart needs JavaScript");
    const [head, cart] = render(JSON.stringify(pages.cart));
    expect(head).toContain('<meta name="robots" content="noindex"');
    expect(cart).toContain("The cart needs JavaScript");
    expect(cart).not.toContain("Your carts is empty");
    expect(cart).toMatch(/<a [^>]*aria-label="Cart"/);
  });

  test("the e-mail action page does not depend on the link, and sends no referrer", () => {
    const [head, body] = render(JSON.stringify(pages["auth-action"]));
    expect(head).toContain('<meta name="referrer" content="no-referrer"');
    expect(head).toContain('<meta name="robots" content="noindex"');
    expect(head).not.toContain("canonical");
    expect(body).toContain("<h1>One moment…</h1>");
    expect(body).toContain("This page needs JavaScript.");
    expect(body).not.toContain("<form");
  });

  test.each(Object.entries(payStates))("renders the payment page: %s", (_, state) => {
    const page: Page = { ...pages.pay, props: payProps(state) };
    const [, body] = render(JSON.stringify(page));
    expect(body.match(/<h1[ >]/g)).toHaveLength(1);
    expect(body).not.toMatch(/undefined|NaN/);
    expect(complaints).toEqual([]);
  });

  test("an order can be paid without JavaScript, and the key goes nowhere else", () => {
    const [head, body] = render(JSON.stringify(pages.pay));
    expect(head).toContain('<meta name="referrer" content="no-referrer"');
    expect(head).toContain('<meta name="robots" content="noindex"');
    expect(head).not.toMatch(/canonical|5f1c/);
    const [form = ""] = body.match(/<form[^>]*action="\/pay\/7K3M-9QXF".*?<\/form>/s) ?? [];
    expect(form).toMatch(/^<form[^>]*method="post"/);
    expect(form).toContain('<input type="hidden" name="key" value="5f1c"');
    expect(form).toMatch(/<input [^>]*name="payment"[^>]*checked=""[^>]*value="card"/);
    expect(form).toContain("Pay $196.00");
    expect(form).toContain("We hold the goods until 11:00 (UTC).");
    expect(body).toMatch(/<form[^>]*action="\/pay\/7K3M-9QXF\/cancel"[^>]*method="post"/);
    expect(body).not.toMatch(/href="\/login[^"]*5f1c/);
    const returned = { ...pages.pay, props: payProps({ returned: true }) };
    const [, asking] = render(JSON.stringify(returned));
    expect(asking).toMatch(
      /<a [^>]*href="\/pay\/7K3M-9QXF\?key=5f1c&amp;returned=1"[^>]*>Look again/,
    );
  });

  test("auth pages have no header and footer, but a link home", () => {
    for (const page of [pages.login, pages.register, pages["auth-action"]]) {
      const [, body] = render(JSON.stringify(page));
      expect(body).not.toMatch(/<(header|footer)\b/);
      expect(body).toMatch(/<main[^>]*>.*<a [^>]*href="\/">Haat<\/a>/);
    }
    const [, body] = render(JSON.stringify(pages.signup));
    expect(body).toMatch(/<header\b.*<footer\b/);
  });

  test("forms cannot be submitted before hydration", () => {
    for (const page of [pages.login, pages.register, pages.signup]) {
      const [, body] = render(JSON.stringify(page));
      const form = /<form[^>]*method="post".*?<\/form>/g;
      const own = body.match(form)?.find((text) => text.includes('type="password"')) ?? "";
      expect(own).toMatch(/<button[^>]*type="submit"[^>]*disabled=""/);
      expect(own).toContain("Signing in needs JavaScript.");
      expect(own).toContain(`autoComplete="${page.page === "login" ? "current" : "new"}-password"`);
    }
  });

  test("links to the sign-in and back, the same for every visitor", () => {
    const [, product] = render(JSON.stringify(pages.product));
    expect(product).toContain('href="/login?from=%2Fproduct%2Fheadphones"');
    expect(product).toContain('href="/register"');
    expect(product).not.toContain("Log out");
    const [, missing] = render(JSON.stringify(pages["not-found"]));
    expect(missing).toContain('href="/login"');
  });

  test("the sign-in page has one canonical URL", () => {
    const page: Page = { ...pages.login, url: "/login?from=%2Fproduct%2Fheadphones" };
    const [head] = render(JSON.stringify(page));
    expect(head).toContain('<link rel="canonical" href="https://shop.example/login"');
  });

  test("lists only plain category pages for search engines", () => {
    const [plain] = render(JSON.stringify(plainCategory));
    expect(plain).toContain(
      '<link rel="canonical" href="https://shop.example/category/audio?page=2"',
    );
    const [filtered] = render(JSON.stringify(pages.category));
    expect(filtered).toContain('<link rel="canonical" href="https://shop.example/category/audio"');
    const [search] = render(JSON.stringify(pages.search));
    expect(search).toContain('<meta name="robots" content="noindex"');
    expect(search).not.toContain("canonical");
  });

  test("listings work without JavaScript", () => {
    const [, body] = render(JSON.stringify(pages.search));
    expect(body).toContain("<h1>Results for “hedphones”</h1>");
    expect(body).toMatch(
      /<a href="\/search\?q=headphones&amp;category=audio[^"]*">headphones<\/a>/,
    );
    expect(body).toMatch(/<mark[^>]*>/);
    expect(body).toMatch(/<form[^>]*data-live[^>]*action="\/search".*Apply filters<\/button>/s);
    expect(body).toMatch(/<input type="hidden" name="q" value="hedphones"/);
    expect(body).toMatch(/<summary>.*Show all.*12/s);
    expect(body).toMatch(/<input[^>]*disabled=""[^>]*name="colour"[^>]*value="Ink"/);
    const nothing: Page = {
      ...pages.search,
      props: { ...pages.search.props, total: 0, products: [], popular: cards },
    };
    const [, empty] = render(JSON.stringify(nothing));
    for (const way of ["Did you mean", "Clear all filters", "What others like"]) {
      expect(empty).toContain(way);
    }
  });

  test("listings render without facets", () => {
    const { category } = pages;
    const page: Page = { ...category, props: { ...category.props, facets: null } };
    const [, body] = render(JSON.stringify(page));
    expect(body).not.toContain("<fieldset");
    expect(body).not.toContain('id="filters"');
    expect(body).toContain("Sort by");
  });

  test("shows taka where the currency is taka", () => {
    const { shop } = pages.home;
    const taka: Page = { ...pages.home, shop: { ...shop, currency: "BDT" } };
    const [, body] = render(JSON.stringify(taka));
    expect(body).toContain("৳199");
    expect(body).toContain("৳103.60");
    expect(body).not.toContain("$199");
    expect(body).toContain('<option value="BDT" selected="">BDT ৳</option>');
  });

  test("the currency can be chosen where there are several", () => {
    const offering = (...currencies: string[]) => {
      const { category } = pages;
      const url = "/category/audio?min=20&sort=best&page=2";
      const page: Page = { ...category, url, shop: { ...category.shop, currencies } };
      return render(JSON.stringify(page))[1];
    };
    expect(offering("USD")).not.toContain('action="/currency"');
    const body = offering("USD", "EUR", "CHF");
    expect(body).toContain('<option value="EUR">EUR €</option><option value="CHF">CHF</option>');
    // The price filter of the page would mean other prices.
    expect(body).toContain('name="back" value="/category/audio?sort=best&amp;page=2"');
    expect(body).toContain("Price ($)");
  });
});
