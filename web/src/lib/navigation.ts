// Client navigation, the Inertia approach: clicks on links and GET forms fetch the page's JSON from
// the same URL, and React renders it. Whatever fails, or is not one of our pages, falls back to a
// browser navigation.

import type { Currency, Page } from "./api.gen";
import { chosenCurrency, saveCurrency, shownCurrency } from "./currency";
import { language, localUrl, splitLanguage } from "./language";
import type { PageName } from "./page";
import { cachedPage, cachePage, fetchPage, prefetchPage } from "./page-cache";
import { cancelPrefetch, observeLinks, startPrefetch } from "./prefetch";
import { enterEntry, newEntry, restoreScroll, saveScroll, startScrollRestoration } from "./scroll";
import { pageUrl } from "./urls";

type PageRenderer = {
  loadCode: (name: PageName) => Promise<void>;
  // The page that a path most likely leads to, so that its code loads in parallel with its data.
  guessPage: (path: string) => PageName | null;
  // Reads what an address holds for the browser alone, and takes it out.
  readAddress: (address: URL) => void;
  // Renders the page and calls `arrived` in the same frame.
  show: (page: Page, arrived: () => void, animate: boolean) => void;
  // Renders another state of the present page, within the event that asked for it.
  update: (page: Page) => void;
};

const PROGRESS_DELAY = 150;
// The canonical URL replaces the requested one, except where there is no such page or where the URL
// holds what only the browser reads.
const KEEP_ADDRESS = new Set<PageName>([
  "not-found",
  "error",
  "login",
  "register",
  "signup",
  "auth-action",
  "newsletter",
  "back-in-stock",
  "track",
  "pay",
  "account",
]);
// The contact page is loaded as a document: only its own Content-Security-Policy allows the map. So is a payment page,
// which also is never prefetched: its address holds a key.
const NOT_PAGES =
  /^\/(api\/(?!docs$)|assets\/|pay\/|metrics$|healthz$|readyz$|contact(\/|$))|\.\w+$/;

let renderer: PageRenderer;
let build: string;
let shownAddress: string;
let visit: AbortController;

export function startNavigation(first: Page, on: PageRenderer): void {
  renderer = on;
  build = first.build;
  visit = new AbortController();
  shownAddress = currentPath();
  cachePage(shownAddress, first);
  startScrollRestoration();
  document.addEventListener("click", onClick);
  document.addEventListener("submit", onSubmit);
  document.addEventListener("change", onChange);
  addEventListener("popstate", onPopState);
  startPrefetch({ linkTo, code: preloadCode, data: prefetchPage });
  // A page that the browser kept may be older than the choice of a currency.
  addEventListener("pageshow", followCurrency);
  followCurrency();
}

function followCurrency(): void {
  if (shownCurrency() !== chosenCurrency()) void refresh();
}

// Fetches the current page's data again and renders it in place.
export async function refresh(): Promise<void> {
  await showAgain(shownAddress).catch(() => {});
}

// Shows the page in a currency: the history entry, the scroll position and what was typed stay.
// `address`: where the page has another one then. Where the shop cannot be reached nothing changes,
// and the answer is false.
export async function chooseCurrency(currency: Currency, address = shownAddress): Promise<boolean> {
  const before = chosenCurrency();
  saveCurrency(currency);
  try {
    const shown = await showAgain(address);
    if (!shown) location.replace(address);
    return true;
  } catch {
    saveCurrency(before);
    return false;
  }
}

// Answers whether the page is one of this bundle. Rejects where it cannot be loaded.
async function showAgain(address: string): Promise<boolean> {
  const { signal } = visit;
  const present = shownAddress;
  // Another page is shown or on its way.
  const left = () => signal.aborted || present !== shownAddress;
  try {
    const page = await fetchPage(address, signal);
    if (left()) return true;
    if (page === null || !isOfThisBundle(page)) return false;
    await renderer.loadCode(page.page);
    if (left()) return true;
    if (address !== present) history.replaceState(history.state, "", address);
    shownAddress = address;
    cachePage(address, page);
    renderer.show(page, () => {}, false);
    return true;
  } catch (why) {
    if (left()) return true;
    throw why;
  }
}

// Shows another state of the present page, which the browser worked out by itself, and its address:
// the history entry, the scroll position and the focus stay. A `partial` page shows what is known
// until the server's has loaded.
export function replacePage(page: Page, partial = false): void {
  history.replaceState(history.state, "", pageUrl(page));
  shownAddress = currentPath();
  if (!partial) cachePage(shownAddress, page);
  renderer.update(page);
  if (partial) void refresh();
  else followCurrency();
}

// Navigates without a click and replaces the history entry, so that Back skips the current page.
export function redirect(address: string): void {
  const url = new URL(address, location.origin);
  void go(url.origin === location.origin ? url : new URL(localUrl("/"), location.origin), true);
}

async function go(url: URL, replace = false): Promise<void> {
  renderer.readAddress(url);
  const address = url.pathname + url.search;
  const page = await load(url.href, address, { replace });
  if (page === null) return;
  const next = KEEP_ADDRESS.has(page.page) ? address : pageUrl(page);
  saveScroll();
  showPage(page, next, true, () => {
    if (replace || next === currentPath()) history.replaceState(newEntry(), "", next + url.hash);
    else history.pushState(newEntry(), "", next + url.hash);
    const target = url.hash && document.getElementById(decodeURIComponent(url.hash.slice(1)));
    if (target) target.scrollIntoView();
    else if (!isInLiveForm()) scrollTo(0, 0);
  });
}

async function onPopState(event: PopStateEvent): Promise<void> {
  const address = currentPath();
  const restore = () => {
    enterEntry();
    restoreScroll();
  };
  if (address === shownAddress) {
    // Only the #hash changed. Where a click made this entry, the browser has scrolled already.
    if (event.state !== null) saveScroll();
    return restore();
  }
  saveScroll();
  const page = await load(location.href, address, { cached: cachedPage(address) });
  if (page !== null) showPage(page, address, !event.hasUAVisualTransition, restore);
}

type LoadOptions = { cached?: Page | undefined; replace?: boolean };

// Null: a newer navigation took over, or the browser navigates by itself.
async function load(href: string, address: string, options: LoadOptions): Promise<Page | null> {
  visit.abort();
  visit = new AbortController();
  const { signal } = visit;
  const root = document.documentElement;
  const progress = setTimeout(() => root.toggleAttribute("data-loading", true), PROGRESS_DELAY);
  try {
    preloadCode(new URL(href).pathname);
    const page = options.cached ?? (await fetchPage(address, signal));
    if (page === null || !isOfThisBundle(page)) throw new Error("not a page of this bundle");
    await renderer.loadCode(page.page);
    return signal.aborted ? null : page;
  } catch {
    if (signal.aborted) return null;
    if (href === location.href) location.reload();
    else if (options.replace) location.replace(href);
    else location.assign(href);
    return null;
  } finally {
    clearTimeout(progress);
    if (!signal.aborted) root.toggleAttribute("data-loading", false);
  }
}

function isOfThisBundle(page: Page): boolean {
  return page.build === build && page.language === language();
}

function preloadCode(path: string): void {
  const name = renderer.guessPage(path);
  // If it fails, the navigation itself reports it.
  if (name !== null) renderer.loadCode(name).catch(() => {});
}

function showPage(page: Page, address: string, animate: boolean, settle: () => void): void {
  cachePage(address, page);
  const arrived = () => {
    shownAddress = address;
    settle();
    // A screen reader continues at the new page's heading, not at a link that is gone.
    if (!isInLiveForm()) focusHeading();
    announce(document.title);
    observeLinks();
    // It may have been fetched before a choice.
    followCurrency();
  };
  renderer.show(page, arrived, animate);
}

// Whoever is using a live form keeps focus and scroll position.
function isInLiveForm(): boolean {
  return document.activeElement?.closest("form[data-live]") != null;
}

// Announces a change to screen readers.
export function announce(words: string): void {
  const announcer = document.getElementById("announcer");
  if (announcer) announcer.textContent = words;
}

export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>("main h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}

type Click = Pick<MouseEvent, "button" | "metaKey" | "ctrlKey" | "shiftKey" | "altKey">;

// Not one that opens another tab or window, which is the browser's.
export function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: Click): boolean {
  return button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);
}

function onClick(event: MouseEvent): void {
  if (event.defaultPrevented || !isPlainClick(event)) return;
  const url = linkTo(event.target);
  if (url === null) return;
  if (url.hash !== "" && url.pathname + url.search === currentPath()) {
    // The browser handles this click, and scrolls before popstate is fired.
    saveScroll();
    return;
  }
  event.preventDefault();
  cancelPrefetch();
  void go(url);
}

function onSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  if (event.defaultPrevented || form.method !== "get" || form.target !== "") return;
  const url = new URL(form.action);
  if (url.origin !== location.origin) return;
  // Like a browser's own submission, but without empty fields.
  const filled = [...new FormData(form)].filter(([, value]) => value !== "") as [string, string][];
  url.search = String(new URLSearchParams(filled));
  event.preventDefault();
  void go(url);
}

// <form data-live>: submits on every change.
function onChange(event: Event): void {
  const { target } = event;
  const chosen = target instanceof HTMLSelectElement || target instanceof HTMLInputElement;
  const form = chosen ? target.form : null;
  if (form?.dataset.live !== undefined) form.requestSubmit();
}

// The address of a link to one of our pages. A page in another language is loaded as a document: it
// has a bundle of its own.
function linkTo(target: EventTarget | null): URL | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (link?.target !== "" || link.hasAttribute("download")) return null;
  const url = new URL(link.href);
  const [of, path] = splitLanguage(url.pathname);
  const ours = url.origin === location.origin && of === language() && !NOT_PAGES.test(path);
  return ours ? url : null;
}

function currentPath(): string {
  return location.pathname + location.search;
}
