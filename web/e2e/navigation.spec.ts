// Client navigation when something fails.
import type { Page, Route } from "@playwright/test";
import { firstCategory, hydrated, isMarked, markWindow } from "./locators";
import { expect, test, withMotion } from "./shop";

test.use(withMotion);

type Envelope = { build: string; props: Record<string, unknown> };

const isDataRequest = (route: Route) => route.request().headers().accept === "application/json";

// Changes the response to a request for page data.
async function changeData(page: Page, change: (pageData: Envelope, nth: number) => void) {
  let asked = 0;
  await page.route("**/*", async (route) => {
    if (!isDataRequest(route)) return route.fallback();
    const response = await route.fetch();
    const pageData = (await response.json()) as Envelope;
    asked += 1;
    change(pageData, asked);
    await route.fulfill({ response, json: pageData });
  });
}

test.describe("offline", () => {
  test.use({ allowedErrors: [/net::ERR_(FAILED|CONNECTION)/] });

  test("data that does not load turns the click into a browser navigation", async ({ page }) => {
    await page.goto("/");
    await hydrated(page);
    await markWindow(page);
    await page.route("**/*", (route) => (isDataRequest(route) ? route.abort() : route.fallback()));
    await firstCategory(page).click();
    await expect(page).toHaveURL(/\/category\//);
    await expect(page.getByText("Shop Page")).toBeVisible();
    expect(await isMarked(page)).toBe(false);
  });
});

test("a newer build on the server is loaded with a full navigation", async ({ page }) => {
  await page.goto("/");
  await hydrated(page);
  await markWindow(page);
  await changeData(page, (pageData) => {
    pageData.build = "newer";
  });
  await firstCategory(page).click();
  await expect(page.getByText("Shop Page")).toBeVisible();
  expect(await isMarked(page)).toBe(false);
});

test("when the flash sale is over, the page is refreshed once", async ({ page }) => {
  await page.clock.install();
  await page.goto("/");
  await firstCategory(page).click();
  await expect(page.getByText("Shop Page")).toBeVisible();
  await hydrated(page);
  await markWindow(page);
  let questions = 0;
  await changeData(page, ({ props }, nth) => {
    questions = nth;
    if (nth === 1) props.flashEnds = new Date(Date.now() + 60_000).toISOString();
    else props.flash = [];
  });
  await page.locator('header a[href="/"]').first().click();
  const panel = page.getByRole("region", { name: "Flash Deal" });
  await expect(panel).toBeVisible();
  expect(questions).toBe(1);
  await page.clock.fastForward(61_000);
  await expect(panel).toBeHidden();
  expect(questions).toBe(2);
  expect(await isMarked(page)).toBe(true);
});

test("a click with a modifier is left to the browser", async ({ page, context }) => {
  await page.goto("/");
  await hydrated(page);
  const opened = context.waitForEvent("page");
  await firstCategory(page).click({ modifiers: ["ControlOrMeta"] });
  await expect(await opened).toHaveURL(/\/category\//);
  await expect(page).toHaveURL(/\/$/);
});

test.describe("code that does not load", () => {
  test.use({ allowedErrors: [/net::ERR_FAILED|Failed to fetch dynamically imported module/] });

  test("is requested once more, unnoticed", async ({ page }) => {
    let asked = 0;
    await page.route("**/assets/category-*.js", (route) => {
      asked += 1;
      return asked === 1 ? route.abort() : route.fallback();
    });
    await page.goto("/");
    await hydrated(page);
    await markWindow(page);
    await firstCategory(page).click();
    await expect(page.getByText("Shop Page")).toBeVisible();
    expect(await isMarked(page)).toBe(true);
    expect(asked).toBe(2);
  });

  test("leaves a readable page, and offers a reload", async ({ page }) => {
    await page.route("**/assets/category-*.js", (route) => route.abort());
    await page.goto("/");
    await hydrated(page);
    await firstCategory(page).click();
    await expect(page.getByText("Shop Page")).toBeVisible();
    const offer = page.getByRole("alert");
    await expect(offer).toHaveText(/did not load/);
    await page.unroute("**/assets/category-*.js");
    await offer.getByRole("button", { name: "Reload" }).click();
    await hydrated(page);
    await expect(page.getByText("Shop Page")).toBeVisible();
    await expect(offer).toHaveCount(0);
  });

  test("for a panel leaves the page as it is, and offers a reload", async ({ page }) => {
    await page.route("**/assets/cart-panel-*.js", (route) => route.abort());
    await page.goto("/about");
    await hydrated(page);
    const shopping = page.getByRole("navigation", { name: "Shopping" });
    await shopping.getByRole("link", { name: /^Cart/ }).click();
    await expect(page.getByRole("alert")).toHaveText(/did not load/);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
});
