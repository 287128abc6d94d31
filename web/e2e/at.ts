// Where things are on the pages, in the words of the journeys.
import type { Page } from "@playwright/test";

export const firstProduct = (page: Page) => page.locator("main li h3 a").first();

export const firstCategory = (page: Page) =>
  page.getByRole("navigation", { name: "Categories" }).getByRole("link").first();

// The page has come to life once lib/scroll.ts has put its key into the history.
export const alive = (page: Page) => page.waitForFunction(() => history.state?.key !== undefined);

// The service worker has been installed and intercepts what the page requests.
export const controlled = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller !== null);

// A mark on the window survives client navigation and no other.
export const mark = (page: Page) => page.evaluate(() => Object.assign(window, { marked: true }));
export const marked = (page: Page) => page.evaluate(() => "marked" in window);

// What is asked for there waits until the returned function lets it come.
export async function hold(page: Page, address: string): Promise<() => void> {
  let letCome = () => {};
  const allowed = new Promise<void>((done) => {
    letCome = done;
  });
  await page.route(address, async (route) => {
    await allowed;
    await route.fallback();
  });
  return letCome;
}
