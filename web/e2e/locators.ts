// Locators and waits that the tests share.
import type { Locator, Page } from "@playwright/test";

export const firstProduct = (page: Page) => page.locator("main li h3 a").first();

export const firstCategory = (page: Page) =>
  page.getByRole("navigation", { name: "Categories" }).getByRole("link").first();

// An option of a product, on its page or in the quick view: a list of links, one for each value.
export const option = (on: Page | Locator, name: string) =>
  on.getByRole("list", { name, exact: true });
export const value = (on: Page | Locator, name: string) =>
  on.getByRole("link", { name, exact: true }).and(on.locator("[data-state]"));

// Adds a product of a list to the cart, in this value where it asks for one.
export async function addFromCard(page: Page, card: Locator, chosen?: string): Promise<void> {
  await card.hover();
  if (chosen === undefined) {
    await card.getByRole("button", { name: /^Add .* to the cart$/ }).click();
    return;
  }
  await card.getByRole("button", { name: /^Choose options for / }).click();
  const dialog = page.getByRole("dialog");
  await value(dialog, chosen).click();
  await dialog.getByRole("button", { name: "Add to cart" }).click();
  await page.keyboard.press("Escape");
}

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
