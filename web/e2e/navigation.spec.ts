// What client navigation does when the world is not as it expects.
import type { Page, Route } from "@playwright/test";
import { alive, firstCategory, mark, marked } from "./at";
import { expect, moving, test } from "./shop";

test.use(moving);

type Envelope = { build: string; props: Record<string, unknown> };

const asksForData = (route: Route) => route.request().headers().accept === "application/json";

// The answer to a question for page data, changed on its way.
async function changeData(page: Page, change: (envelope: Envelope, nth: number) => void) {
  let asked = 0;
  await page.route("**/*", async (route) => {
    if (!asksForData(route)) return route.fallback();
    const response = await route.fetch();
    const envelope = (await response.json()) as Envelope;
    asked += 1;
    change(envelope, asked);
    await route.fulfill({ response, json: envelope });
  });
}

test.describe("offline", () => {
  test.use({ tolerated: [/net::ERR_(FAILED|CONNECTION)/] });

  test("data that does not come turns the click into an ordinary one", async ({ page }) => {
    await page.goto("/");
    await alive(page);
    await mark(page);
    await page.route("**/*", (route) => (asksForData(route) ? route.abort() : route.fallback()));
    await firstCategory(page).click();
    await expect(page).toHaveURL(/\/category\//);
    await expect(page.getByText("Shop Page")).toBeVisible();
    expect(await marked(page)).toBe(false);
  });
});

test("a newer build on the server is loaded whole", async ({ page }) => {
  await page.goto("/");
  await alive(page);
  await mark(page);
  await changeData(page, (envelope) => {
    envelope.build = "newer";
  });
  await firstCategory(page).click();
  await expect(page.getByText("Shop Page")).toBeVisible();
  expect(await marked(page)).toBe(false);
});

test("when the flash sale is over, the page is asked for once more", async ({ page }) => {
  await page.clock.install();
  await page.goto("/");
  await firstCategory(page).click();
  await expect(page.getByText("Shop Page")).toBeVisible();
  await alive(page);
  await mark(page);
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
  expect(await marked(page)).toBe(true);
});

test("a click with a modifier is the browser's", async ({ page, context }) => {
  await page.goto("/");
  await alive(page);
  const opened = context.waitForEvent("page");
  await firstCategory(page).click({ modifiers: ["ControlOrMeta"] });
  await expect(await opened).toHaveURL(/\/category\//);
  await expect(page).toHaveURL(/\/$/);
});

test.describe("code that does not come", () => {
  test.use({ tolerated: [/net::ERR_FAILED|Failed to fetch dynamically imported module/] });

  test("is asked for once more, and nobody notices", async ({ page }) => {
    let asked = 0;
    await page.route("**/assets/category-*.js", (route) => {
      asked += 1;
      return asked === 1 ? route.abort() : route.fallback();
    });
    await page.goto("/");
    await alive(page);
    await mark(page);
    await firstCategory(page).click();
    await expect(page.getByText("Shop Page")).toBeVisible();
    expect(await marked(page)).toBe(true);
    expect(asked).toBe(2);
  });

  test("leaves a page that can be read, and offers a reload", async ({ page }) => {
    await page.route("**/assets/category-*.js", (route) => route.abort());
    await page.goto("/");
    await alive(page);
    await firstCategory(page).click();
    await expect(page.getByText("Shop Page")).toBeVisible();
    const offer = page.getByRole("alert");
    await expect(offer).toHaveText(/did not load/);
    await page.unroute("**/assets/category-*.js");
    await offer.getByRole("button", { name: "Reload" }).click();
    await alive(page);
    await expect(page.getByText("Shop Page")).toBeVisible();
    await expect(offer).toHaveCount(0);
  });

  test("for a panel leaves the page as it is, and offers a reload", async ({ page }) => {
    await page.route("**/assets/cart-panel-*.js", (route) => route.abort());
    await page.goto("/about");
    await alive(page);
    const shopping = page.getByRole("navigation", { name: "Shopping" });
    await shopping.getByRole("link", { name: /^Cart/ }).click();
    await expect(page.getByRole("alert")).toHaveText(/did not load/);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
});
