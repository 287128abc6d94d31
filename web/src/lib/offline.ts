// Offline support: caches pages and files for the service worker (public/sw.js).
import type { Currency, Page } from "./api.gen";
import { chosenCurrency } from "./currency";
import { language, localUrl, shopLanguages, splitLanguage } from "./language";
import type { PageName } from "./page";
import { pageUrl } from "./urls";

const MAX_PAGES = 30;
const TITLE = "x-title";
// Nothing personal, and nothing that is soon out of date.
const CACHED_PAGES = new Set<PageName>([
  "home",
  "category",
  "product",
  "blog",
  "post",
  "about",
  "contact",
  "policy",
]);

export type CachedPage = { address: string; title: string };

// The service worker uses the same names.
const pagesName = (build: string) => `haat-pages-${build}-`;
const openPages = (build: string, of: Currency) => caches.open(pagesName(build) + of);
const filesOf = (build: string) => caches.open(`haat-files-${build}`);

let started = false;
let shown: Page | null = null;

// After `load`, so that it competes with nothing. Browsers have no service workers on insecure
// connections.
export function startOffline(build: string): void {
  if (!("serviceWorker" in navigator)) return;
  const start = async () => {
    // The same address in all languages, or the worker would be exchanged with each.
    const languages = shopLanguages().join(",");
    await navigator.serviceWorker.register(`/sw.js?build=${build}&languages=${languages}`);
    const { active } = await navigator.serviceWorker.ready;
    // The worker was installed by a page that may be in another language.
    active?.postMessage({ offlinePage: localUrl("/offline") });
    started = true;
    await cacheFiles(build);
    if (shown !== null) await cachePageData(shown);
  };
  // Storage is blocked or full: there is no offline support.
  const startSilently = () => void start().catch(() => {});
  if (document.readyState === "complete") startSilently();
  else addEventListener("load", startSilently, { once: true });
}

export function cacheShownPage(page: Page): void {
  shown = page;
  if (started) void cachePageData(page).catch(() => {});
}

// The first page's files were loaded before there was a service worker to cache them.
async function cacheFiles(build: string): Promise<void> {
  const files = await filesOf(build);
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const ours = loaded.filter(
    ({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"),
  );
  for (const { pathname } of ours) {
    if ((await files.match(pathname, { ignoreVary: true })) === undefined)
      await files.add(pathname);
  }
}

async function cachePageData(page: Page): Promise<void> {
  const { currency } = page.shop;
  // Another tab has chosen another one.
  if (currency !== chosenCurrency()) return;
  const pages = await openPages(page.build, currency);
  await deleteOtherCurrencies(page);
  if (!CACHED_PAGES.has(page.page) || (page.page === "contact" && page.props.sent)) return;
  const headers = {
    "content-type": "application/json",
    [TITLE]: encodeURIComponent(document.title),
  };
  // The newest is last. Of a product there is one, in the last choice of its options.
  const address = pageUrl(page);
  await pages.delete(address, { ignoreSearch: page.page === "product" });
  await pages.put(address, new Response(JSON.stringify(page), { headers }));
  const keys = await pages.keys();
  for (const oldest of keys.slice(0, -MAX_PAGES)) await pages.delete(oldest);
}

// The service worker does not know which currency is chosen: there are pages in that one only.
async function deleteOtherCurrencies({ build, shop }: Page): Promise<void> {
  const names = await caches.keys();
  const pages = names.filter((name) => name.startsWith(pagesName(build)));
  for (const name of pages) if (!name.endsWith(`-${shop.currency}`)) await caches.delete(name);
}

// Those in the language of the page, newest first.
export async function listCachedPages(build: string): Promise<CachedPage[]> {
  const pages = await openPages(build, chosenCurrency());
  const keys = await pages.keys();
  const ours = keys.filter(({ url }) => splitLanguage(new URL(url).pathname)[0] === language());
  const entries = ours.map(async (request) => {
    const { pathname, search } = new URL(request.url);
    const title = (await pages.match(request))?.headers.get(TITLE) ?? "";
    return { address: pathname + search, title: decodeURIComponent(title) };
  });
  return (await Promise.all(entries)).reverse();
}

// Development only: files cached by another build at this address would be served instead of the
// new ones.
export async function removeServiceWorkers(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
}
