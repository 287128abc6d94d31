// Takes over plain clicks on links and plain GET forms: the page comes as data and React shows it.
// Whatever goes wrong, or is not a page of ours, becomes an ordinary navigation.
import { startLookingAhead, stopLooking, watchLinks } from "./ahead";
import type { Page } from "./api.gen";
import { fetchPage, prefetchPage, recentPage, rememberPage } from "./envelopes";
import type { PageName } from "./page";
import { enterEntry, newEntry, saveScroll, scrollBack, takeOverScroll } from "./scroll";

export type Stage = {
  // Loads a page's code.
  prepare: (name: PageName) => Promise<void>;
  // The page that an address most likely leads to, so that its code loads beside its data.
  expect: (path: string) => PageName | null;
  // Shows the page and calls `arrived` in the same frame.
  show: (page: Page, arrived: () => void, animate: boolean) => void;
};

const LINE_AFTER = 150;
// The canonical address is the better one to keep, except where there is no page behind it, or where
// the address says what only the browser needs to know.
const KEEP_ADDRESS = new Set<PageName>([
  "notFound",
  "error",
  "login",
  "register",
  "signup",
  "authAction",
  "newsletter",
  "backInStock",
  "track",
  "account",
]);
// The page with the map comes as a document: only its own policy lets the map in.
const NOT_PAGES = /^\/(api\/(?!docs$)|assets\/|metrics$|healthz$|readyz$|contact(\/|$))|\.\w+$/;

let stage: Stage;
let build: string;
let shownAddress: string;
let visit: AbortController;

export function startNavigation(first: Page, on: Stage): void {
  stage = on;
  build = first.build;
  visit = new AbortController();
  shownAddress = here();
  rememberPage(shownAddress, first);
  takeOverScroll();
  document.addEventListener("click", onClick);
  document.addEventListener("submit", onSubmit);
  document.addEventListener("change", onChange);
  addEventListener("popstate", onPopState);
  startLookingAhead({ linkTo, code: expectPage, data: prefetchPage });
}

// The same page again with fresh data; nothing moves.
export async function refresh(): Promise<void> {
  const { signal } = visit;
  const page = await fetchPage(shownAddress, signal).catch(() => null);
  if (page === null || page.build !== build) return;
  await stage.prepare(page.page);
  if (signal.aborted) return;
  rememberPage(shownAddress, page);
  stage.show(page, () => {}, false);
}

// For what is not a click: the page that is shown has done its work, and Back skips it.
export function goOn(address: string): void {
  const url = new URL(address, location.origin);
  void go(url.origin === location.origin ? url : new URL("/", location.origin), true);
}

async function go(url: URL, replace = false): Promise<void> {
  const address = url.pathname + url.search;
  const page = await load(url.href, address, { replace });
  if (page === null) return;
  const next = KEEP_ADDRESS.has(page.page) ? address : page.url;
  saveScroll();
  arrive(page, next, true, () => {
    if (replace || next === here()) history.replaceState(newEntry(), "", next + url.hash);
    else history.pushState(newEntry(), "", next + url.hash);
    const target = url.hash && document.getElementById(decodeURIComponent(url.hash.slice(1)));
    if (target) target.scrollIntoView();
    else if (!isChoosing()) scrollTo(0, 0);
  });
}

async function onPopState(event: PopStateEvent): Promise<void> {
  const address = here();
  const restore = () => {
    enterEntry();
    scrollBack();
  };
  if (address === shownAddress) {
    // Only the #hash changed. Where the click made the entry, the browser has scrolled already.
    if (event.state !== null) saveScroll();
    return restore();
  }
  saveScroll();
  const page = await load(location.href, address, { held: recentPage(address) });
  if (page !== null) arrive(page, address, !event.hasUAVisualTransition, restore);
}

type Way = { held?: Page | undefined; replace?: boolean };

// Null: a newer visit took over, or the browser now navigates by itself.
async function load(href: string, address: string, way: Way): Promise<Page | null> {
  visit.abort();
  visit = new AbortController();
  const { signal } = visit;
  const root = document.documentElement;
  const line = setTimeout(() => root.toggleAttribute("data-loading", true), LINE_AFTER);
  try {
    expectPage(new URL(href).pathname);
    const page = way.held ?? (await fetchPage(address, signal));
    if (page === null || page.build !== build) throw new Error("not a page of this build");
    await stage.prepare(page.page);
    return signal.aborted ? null : page;
  } catch {
    if (signal.aborted) return null;
    if (href === location.href) location.reload();
    else if (way.replace) location.replace(href);
    else location.assign(href);
    return null;
  } finally {
    clearTimeout(line);
    if (!signal.aborted) root.toggleAttribute("data-loading", false);
  }
}

function expectPage(path: string): void {
  const name = stage.expect(path);
  // Should it fail, the visit itself finds out.
  if (name !== null) stage.prepare(name).catch(() => {});
}

function arrive(page: Page, address: string, animate: boolean, settle: () => void): void {
  rememberPage(address, page);
  const arrived = () => {
    shownAddress = address;
    settle();
    // A screen reader goes on from the new page's heading, not from a link that is gone.
    if (!isChoosing()) focusHeading();
    announce(document.title);
    watchLinks();
  };
  stage.show(page, arrived, animate);
}

// Whoever is choosing in a live form stays where they are.
function isChoosing(): boolean {
  return document.activeElement?.closest("form[data-live]") != null;
}

// To who does not see what has changed.
export function announce(words: string): void {
  const announcer = document.getElementById("announcer");
  if (announcer) announcer.textContent = words;
}

export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>("main h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}

function onClick(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const url = linkTo(event.target);
  if (url === null) return;
  if (url.hash !== "" && url.pathname + url.search === here()) {
    // The browser does this one; it scrolls before anyone is told.
    saveScroll();
    return;
  }
  event.preventDefault();
  stopLooking();
  void go(url);
}

function onSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  if (event.defaultPrevented || form.method !== "get" || form.target !== "") return;
  const url = new URL(form.action);
  if (url.origin !== location.origin) return;
  // As a browser does it, but for the fields that were left empty.
  const filled = [...new FormData(form)].filter(([, value]) => value !== "") as [string, string][];
  url.search = String(new URLSearchParams(filled));
  event.preventDefault();
  void go(url);
}

// <form data-live>: a choice applies at once.
function onChange(event: Event): void {
  const { target } = event;
  const chosen = target instanceof HTMLSelectElement || target instanceof HTMLInputElement;
  const form = chosen ? target.form : null;
  if (form?.dataset.live !== undefined) form.requestSubmit();
}

function linkTo(target: EventTarget | null): URL | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (link?.target !== "" || link.hasAttribute("download")) return null;
  const url = new URL(link.href);
  return url.origin === location.origin && !NOT_PAGES.test(url.pathname) ? url : null;
}

function here(): string {
  return location.pathname + location.search;
}
