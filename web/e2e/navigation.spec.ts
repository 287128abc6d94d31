// What client navigation does when the world is not as it expects.
import type { Page, Route } from "@playwright/test";
import { alive, firstCategory, mark, marked } from "./at";
import { expect, test } from "./shop";

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
  await page.goto("/");
  await firstCategory(page).click();
  await expect(page.getByText("Shop Page")).toBeVisible();
  await alive(page);
  await mark(page);
  let questions = 0;
  await changeData(page, ({ props }, nth) => {
    questions = nth;
    if (nth === 1) props.flashEnds = new Date(Date.now() + 3_000).toISOString();
    else props.flash = [];
  });
  await page.locator('header a[href="/"]').first().click();
  const panel = page.getByRole("region", { name: "Flash Deal" });
  await expect(panel).toBeVisible();
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
