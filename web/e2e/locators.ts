// Locators and waits that the tests share.
import type { Page } from "@playwright/test";

export const firstProduct = (page: Page) => page.locator("main li h3 a").first();

export const firstCategory = (page: Page) =>
  page.getByRole("navigation", { name: "Categories" }).getByRole("link").first();

// Hydrated: the document handles clicks. Not the history's key, which outlives a reload.
export const hydrated = (page: Page) =>
  page.waitForFunction(() => document.documentElement.hasAttribute("data-hydrated"));

// The service worker is active and intercepts the page's requests.
export const controlled = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller !== null);

// A flag on `window` survives only client navigation.
export const markWindow = (page: Page) =>
  page.evaluate(() => Object.assign(window, { marked: true }));
export const isMarked = (page: Page) => page.evaluate(() => "marked" in window);

// Holds matching requests until the returned function is called, which ends when they are on their way.
export async function holdRequests(page: Page, address: string): Promise<() => Promise<void>> {
  let allow = () => {};
  const allowed = new Promise<void>((done) => {
    allow = done;
  });
  const sent: Promise<void>[] = [];
  await page.route(address, (route) => {
    const send = allowed.then(() => route.continue());
    sent.push(send);
    return send;
  });
  return async () => {
    allow();
    await Promise.all(sent);
  };
}
