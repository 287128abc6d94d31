// Pages of one currency are never used for another.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pages } from "../../test/fixtures";
import type { Currency, Page } from "./api.gen";
import { setCurrency } from "./currency";

const { signal } = new AbortController();
let requests: number;
let answer: (page: Page) => Promise<Page>;

const choose = (currency: Currency) =>
  vi.stubGlobal("document", { cookie: `currency=${currency}` });
const pageIn = (currency: Currency): Page => ({
  ...pages.about,
  shop: { ...pages.about.shop, currency },
});

// A fresh cache, and a server that follows the cookie.
async function opened() {
  vi.resetModules();
  const current = await import("./currency");
  current.setCurrency({ currency: "USD", currencies: ["USD", "BDT"] });
  const cache = await import("./page-cache");
  vi.stubGlobal("fetch", async () => {
    requests += 1;
    const page = await answer(pageIn(current.chosenCurrency()));
    return Response.json(page);
  });
  return cache;
}

beforeEach(() => {
  requests = 0;
  answer = async (page) => page;
  choose("USD");
});

afterEach(() => {
  vi.unstubAllGlobals();
  setCurrency({ currency: "USD", currencies: ["USD"] });
});

test("a page for Back is in the chosen currency", async () => {
  const { cachePage, cachedPage } = await opened();
  cachePage("/about", pageIn("USD"));
  expect(cachedPage("/about")?.shop.currency).toBe("USD");
  choose("BDT");
  expect(cachedPage("/about")).toBeUndefined();
  // Of another tab's choice the page that is shown knows nothing.
  cachePage("/about", pageIn("USD"));
  expect(cachedPage("/about")).toBeUndefined();
  cachePage("/about", pageIn("BDT"));
  expect(cachedPage("/about")?.shop.currency).toBe("BDT");
  choose("USD");
  expect(cachedPage("/about")?.shop.currency).toBe("USD");
});

test("a prefetched page is used in its currency only", async () => {
  const { fetchPage, prefetchPage } = await opened();
  prefetchPage("/about");
  choose("BDT");
  expect((await fetchPage("/about", signal))?.shop.currency).toBe("BDT");
  expect(requests).toBe(2);
  prefetchPage("/about");
  expect((await fetchPage("/about", signal))?.shop.currency).toBe("BDT");
  expect(requests).toBe(3);
});

test("a choice while a page loads is followed", async () => {
  const { fetchPage } = await opened();
  answer = async (page) => {
    choose("BDT");
    return page;
  };
  expect((await fetchPage("/about", signal))?.shop.currency).toBe("BDT");
  expect(requests).toBe(2);
});

test("a payment page is not kept, whose address holds a key", async () => {
  const { cachePage, cachedPage } = await opened();
  cachePage(pages.pay.url, pages.pay);
  expect(cachedPage(pages.pay.url)).toBeUndefined();
});
