// The shop without a network, by its service worker. Only the production build has one.
import type { Page } from "@playwright/test";
import { firstProduct, hydrated } from "./locators";
import { expect, openBuild, openShop, testIn } from "./shop";

const test = testIn(() => openShop()).extend({ serviceWorkers: "allow" });

test.use({ allowedErrors: [/net::ERR_(INTERNET_DISCONNECTED|FAILED|ABORTED)|Failed to fetch/] });

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

// Every URL in any cache.
function cachedUrls(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys();
    const held = names.map(async (name) => await (await caches.open(name)).keys());
    return (await Promise.all(held)).flat().map(({ url }) => new URL(url).pathname);
  });
}

// Waits until the service worker has cached the page.
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
  await expect.poll(() => cachedUrls(page)).toContain(address);
}

test("viewed pages can be read, and other ones say so", async ({ page, context }) => {
  await open(page, "/category/audio");
  const name = (await firstProduct(page).textContent()) ?? "";
  await firstProduct(page).click();
  await expect(heading(page)).toHaveText(name);
  const product = new URL(page.url()).pathname;
  await expect.poll(() => cachedUrls(page)).toContain(product);

  await context.setOffline(true);
  await page.reload();
  await expect(heading(page)).toHaveText(name);
  await expect(page).toHaveTitle(new RegExp(`^${name} · `));
  await hydrated(page);
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
  await crumbs.getByRole("link", { name: "Audio" }).click();
  await expect(heading(page)).toHaveText("Audio");
  await hydrated(page);
  await page.locator("footer").getByRole("link", { name: "About Us" }).click();
  await expect(heading(page)).toHaveText("You are offline");
  await expect(page).toHaveURL(/\/about$/);
  const seen = page.getByRole("navigation", { name: "Can be read meanwhile" });
  await expect(seen.getByRole("link")).toHaveCount(2);
  await expect(seen.getByRole("link", { name: "Audio" })).toBeVisible();
  await seen.getByRole("link", { name }).click();
  await expect(heading(page)).toHaveText(name);
  await page.goBack();
  await expect(heading(page)).toHaveText("You are offline");

  // It reloads by itself.
  await context.setOffline(false);
  await expect(heading(page)).not.toHaveText("You are offline");
  await expect(page).toHaveURL(/\/about$/);
});

test("pages in another currency than the chosen one are not kept", async ({ page, context }) => {
  await open(page, "/category/audio");
  await open(page, "/about");
  await page.getByLabel("Currency").selectOption("BDT");
  await expect.poll(() => cachedUrls(page)).not.toContain("/category/audio");
  await expect.poll(() => cachedUrls(page)).toContain("/about");
  await open(page, "/category/lighting");
  await context.setOffline(true);
  await page.goto("/category/audio");
  await expect(heading(page)).toHaveText("You are offline");
  await hydrated(page);
  const seen = page.getByRole("navigation", { name: "Can be read meanwhile" });
  await expect(seen.getByRole("link")).toHaveCount(2);
  await seen.getByRole("link", { name: "Lighting" }).click();
  await expect(heading(page)).toHaveText("Lighting");
  await expect(page.locator("main")).toContainText("৳");
  await expect(page.locator("main")).not.toContainText("$");
});

test("the offline page has the shop's styles", async ({ page, context }) => {
  await open(page, "/about");
  await context.setOffline(true);
  await page.goto("/blog");
  await expect(heading(page)).toHaveText("You are offline");
  await hydrated(page);
  await expect(page.getByRole("navigation", { name: "Categories" })).toBeVisible();
  const face = () =>
    heading(page).evaluate(async (title) => {
      await document.fonts.ready;
      const { fontFamily, fontSize, fontWeight } = getComputedStyle(title);
      return [fontFamily, document.fonts.check(`${fontWeight} ${fontSize} Fraunces`)];
    });
  await expect.poll(face).toEqual([expect.stringContaining("Fraunces"), true]);
});

test("a language that was never shown has the offline page of the default one", async ({
  page,
  context,
}) => {
  await open(page, "/about");
  await context.setOffline(true);
  await page.goto("/bn/about");
  await expect(heading(page)).toHaveText("You are offline");
  await expect(page).toHaveURL(/\/bn\/about$/);
});

test("nothing personal is cached", async ({ page }) => {
  await open(page, "/about");
  for (const address of ["/cart", "/wishlist", "/login", "/auth/action", "/api/docs", "/dev/ui"]) {
    await page.goto(address);
    await hydrated(page);
  }
  await page.evaluate(() => fetch("/api/products?limit=1"));
  await open(page, "/refund");
  const files = /^\/(assets\/.+|favicon\.svg|offline)$/;
  const pages = async () => (await cachedUrls(page)).filter((path) => !files.test(path));
  // A page that is cached again is missing briefly.
  await expect.poll(pages).toEqual(["/about", "/refund"]);
});

test("the last thirty pages are cached, no more", async ({ page }) => {
  await open(page, "/about");
  await page.evaluate(async () => {
    const name = (await caches.keys()).find((name) => name.startsWith("haat-pages-")) ?? "";
    const pages = await caches.open(name);
    for (let nth = 1; nth <= 40; nth++) await pages.put(`/product/${nth}`, new Response("{}"));
  });
  await open(page, "/refund");
  const pages = async () =>
    (await cachedUrls(page)).filter((path) => /^\/(about|refund|product)/.test(path));
  // The newest is added before the oldest are deleted.
  await expect.poll(pages).toHaveLength(30);
  expect((await pages()).at(-1)).toBe("/refund");
});

test("a new build has its own caches, and the old ones are deleted", async ({ page }) => {
  await open(page, "/about");
  // Navigation preload would request pages twice, so it is off.
  const preloads = () =>
    page.evaluate(async () => {
      const { navigationPreload } = await navigator.serviceWorker.ready;
      return (await navigationPreload.getState()).enabled;
    });
  expect(await preloads()).toBe(false);
  // As an earlier build left it.
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).navigationPreload.enable();
  });
  const names = () => page.evaluate(() => caches.keys());
  const before = await names();
  await page.evaluate(() => navigator.serviceWorker.register("/sw.js?build=newer"));
  await expect.poll(names).toEqual(["haat-files-newer"]);
  await expect.poll(preloads).toBe(false);
  expect(before).toHaveLength(2);
  expect(before).not.toContain("haat-files-newer");
});

const testInDevelopment = testIn(() => openBuild("dist-dev")).extend({ serviceWorkers: "allow" });

testInDevelopment.describe("a service worker of another build", () => {
  testInDevelopment("is gone in development", async ({ page }) => {
    // Nothing of ours removes it at once.
    await page.goto("/favicon.svg");
    await page.evaluate(async () => {
      await navigator.serviceWorker.register("/sw.js?build=another");
      await navigator.serviceWorker.ready;
    });
    await page.goto("/about");
    const left = () =>
      page.evaluate(async () => [
        ...(await navigator.serviceWorker.getRegistrations()),
        ...(await caches.keys()),
      ]);
    await expect.poll(left).toEqual([]);
  });
});
