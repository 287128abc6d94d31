import type { Page } from "@playwright/test";
import {
  firstCategory,
  firstProduct,
  holdRequests,
  hydrated,
  isMarked,
  markWindow,
} from "./locators";
import { expect, test, withMotion } from "./shop";

test.use(withMotion);

// With a tolerance for scroll anchoring: a section may be a little taller or shorter than its
// estimate.
const expectAt = (page: Page, place: number) =>
  expect
    .poll(async () => Math.abs((await page.evaluate(() => scrollY)) - place))
    .toBeLessThanOrEqual(3);

// Where the page is when nothing moves any more: sections that come into view get their real height.
const restingPlace = (page: Page) =>
  page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    let place: number;
    do {
      place = scrollY;
      await frame();
      await frame();
    } while (scrollY !== place);
    return place;
  });

test("home, category, product, and back to the scroll position", async ({ page }) => {
  await page.goto("/");
  await hydrated(page);
  await markWindow(page);
  const homeTitle = await page.title();

  const category = (await firstCategory(page).textContent()) ?? "";
  await firstCategory(page).click();
  await expect(page.getByRole("heading", { level: 1, name: category })).toBeFocused();
  await expect(page).toHaveURL(/\/category\/[^?]+$/);
  await expect(page).toHaveTitle(new RegExp(`^${category} · `));
  await expect(page.getByRole("status")).toHaveText(await page.title());

  const card = page.locator("main li h3 a").last();
  await card.scrollIntoViewIfNeeded();
  // The scroll position at the click: the click itself may scroll the card from under the header.
  await page.evaluate(() => {
    const note = () => sessionStorage.setItem("clicked-at", String(scrollY));
    addEventListener("click", note, { capture: true, once: true });
  });
  const address = await card.getAttribute("href");
  await card.click();
  await expect(page).toHaveURL(new RegExp(`${address}$`));
  await expect(page.getByText(/^(In stock|Out of stock)/).first()).toBeVisible();
  await expectAt(page, 0);
  const scrolled = await page.evaluate(() => Number(sessionStorage.getItem("clicked-at")));
  expect(scrolled).toBeGreaterThan(0);

  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: category })).toBeVisible();
  await expectAt(page, scrolled);

  await page.goBack();
  await expect(page).toHaveTitle(homeTitle);
  await page.goForward();
  await expect(page.getByRole("heading", { level: 1, name: category })).toBeVisible();
  expect(await isMarked(page)).toBe(true);
});

test("a reload restores the scroll position before any code is loaded", async ({ page }) => {
  await page.goto("/category/audio");
  await hydrated(page);
  await page.locator("main li h3 a").last().scrollIntoViewIfNeeded();
  const before = await restingPlace(page);
  expect(before).toBeGreaterThan(0);

  const release = await holdRequests(page, "**/assets/*.js");
  await page.reload({ waitUntil: "domcontentloaded" });
  await expectAt(page, before);
  await release();
  await hydrated(page);
  await expectAt(page, before);
});

test("a reload restores the scroll position of a page that the browser fills", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 700 });
  await page.goto("/category/audio");
  const ids = await page
    .locator("[data-product]")
    .evaluateAll((places) => [
      ...new Set(places.map((one) => one.getAttribute("data-product")?.split("/").pop())),
    ]);
  expect(ids.length).toBeGreaterThan(5);
  await page.evaluate((value) => {
    localStorage.setItem("haat.wishlist", JSON.stringify({ version: 1, value }));
  }, ids);
  await page.goto("/wishlist");
  await expect(page.locator("main li h3")).toHaveCount(ids.length);
  await page.evaluate(() => scrollTo(0, 900));
  await expectAt(page, 900);
  await page.reload();
  await expect(page.locator("main li h3")).toHaveCount(ids.length);
  await expectAt(page, 900);
});

test("sorting and page size apply at once and come back with Back", async ({ page }) => {
  await page.goto("/");
  await hydrated(page);
  await markWindow(page);
  await firstCategory(page).click();
  await page.getByLabel("Show").selectOption("2");
  await expect(page).toHaveURL(/\?size=2$/);
  await expect(page.locator("main li h3")).toHaveCount(2);
  await page.getByLabel("Sort by").selectOption({ label: "Price low to high" });
  await expect(page).toHaveURL(/\?sort=price-asc&size=2$/);
  await page.getByRole("link", { name: "Next page" }).click();
  await expect(page).toHaveURL(/\?sort=price-asc&size=2&page=2$/);
  await expect(page.getByText(/^Page 2 of \d+$/)).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/\?size=2$/);
  await expect(page.getByLabel("Sort by")).toHaveValue("default");
  expect(await isMarked(page)).toBe(true);
});

test("every kind of page hydrates and has one heading", async ({ page }) => {
  await page.goto("/");
  const category = await firstCategory(page).getAttribute("href");
  const product = await firstProduct(page).getAttribute("href");
  const entrances = ["/login", "/register", "/signup"];
  for (const address of ["/", category, product, ...entrances, "/api/docs"]) {
    await page.goto(address ?? "");
    await hydrated(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.locator('link[rel="canonical"]')).toHaveCount(1);
    await expect(page.locator("title")).toHaveCount(1);
  }
});

test("a link to an anchor scrolls there, and Back returns", async ({ page }) => {
  await page.goto("/blog/the-words-on-a-watch");
  await hydrated(page);
  const link = page.getByRole("link", { name: "Water resistance" });
  await link.scrollIntoViewIfNeeded();
  const before = await restingPlace(page);
  await link.click();
  await expect(page).toHaveURL(/#water-resistance$/);
  await expect(page.getByRole("heading", { name: "Water resistance" })).toBeInViewport();
  await page.goBack();
  await expectAt(page, before);
});

test("the flash deal counts down", async ({ page }) => {
  await page.goto("/");
  const panel = page.getByRole("region", { name: "Flash Deal" });
  await expect(panel.getByText("Ending Soon...")).toBeVisible();
  const timer = panel.getByRole("timer");
  const before = await timer.textContent();
  await expect(timer).not.toHaveText(before ?? "");
});

test("the flash deal links to everything on sale", async ({ page }) => {
  await page.goto("/");
  await hydrated(page);
  await page.getByRole("link", { name: "View more" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("On offer");
  const cards = page.locator("main li:has(h3)");
  await expect(cards.first()).toBeVisible();
  await expect(cards.filter({ has: page.locator("s, del") })).toHaveCount(await cards.count());
});

test("the theme is kept over a reload", async ({ page }) => {
  await page.goto("/");
  await hydrated(page);
  const button = page.getByRole("button", { name: /^Theme/ });
  await button.click();
  await button.click();
  await expect(button).toHaveAccessibleName("Theme: dark");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(button).toHaveAccessibleName("Theme: dark");
});

test.describe("with another language and time zone than the server's", () => {
  test.use({ locale: "de-DE", timezoneId: "Asia/Tokyo" });

  test("pages hydrate without a mismatch", async ({ page }) => {
    await page.goto("/");
    await hydrated(page);
    await page.goto((await firstProduct(page).getAttribute("href")) ?? "");
    await hydrated(page);
    await expect(page.locator("main")).toContainText("$");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("home, category and product can be read", async ({ page }) => {
    await page.goto("/");
    const category = (await firstCategory(page).textContent()) ?? "";
    await firstCategory(page).click();
    await expect(page.getByRole("heading", { level: 1, name: category })).toBeVisible();
    await page.getByLabel("Sort by").selectOption({ label: "Price low to high" });
    await page.getByRole("button", { name: "Apply", exact: true }).click();
    await expect(page).toHaveURL(/sort=price-asc/);
    await expect(page.getByLabel("Sort by")).toHaveValue("price-asc");
    await firstProduct(page).click();
    await expect(page).toHaveURL(/\/product\//);
    await expect(page.getByText(/^(In stock|Out of stock)/).first()).toBeVisible();
  });
});
