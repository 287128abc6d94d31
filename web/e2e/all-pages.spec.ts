// Every page at every width: no overflow, no errors, accessible, reachable by keyboard. And
// readable without JavaScript.
import type { Page } from "@playwright/test";
import { a11yViolations, horizontalOverflow } from "./a11y";
import { hydrated } from "./locators";
import {
  addressOf,
  fillCartAndWishlist,
  NARROWEST,
  ROUTES,
  type Route,
  routeName,
  WIDTHS,
} from "./routes";
import { expect, openBuild, testIn } from "./shop";
import { tabThrough } from "./tab-order";

// React's development build, which reports hydration mismatches.
const test = testIn(() => openBuild("dist-dev"));

// Each width by itself: these are the longest tests.
test.describe.configure({ mode: "parallel" });

const missing = ROUTES.filter(({ missing }) => missing).map(({ address }) => address);

test.use({
  // A trace of thousands of key presses takes longer than all the rest.
  trace: "off",
  // The response event names the URL.
  allowedErrors: [new RegExp(`^404 http\\S+(${missing.join("|")})$|status of 404`)],
});

async function arrive(page: Page, route: Route): Promise<void> {
  const { withItems } = route;
  if (withItems) await fillCartAndWishlist(page);
  await page.goto(await addressOf(page, route));
  await hydrated(page);
  // Waits for the quote or the products.
  if (withItems) await page.waitForLoadState("networkidle");
}

// The other theme at one width.
const DARK_AT = 360;

for (const width of process.env.HAAT_TEST_ALL === undefined ? [360] : WIDTHS) {
  test(`every page at ${width} pixels`, async ({ page, shopUrl }) => {
    test.setTimeout(600_000);
    // No page requests anything from another host: the privacy page promises that.
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (/^(https?|wss?):$/.test(protocol) && origin !== shopUrl) elsewhere.push(request.url());
    });
    await page.setViewportSize({ width, height: 800 });
    for (const route of ROUTES) {
      await test.step(routeName(route), async () => {
        await arrive(page, route);
        await expect.soft(page.getByRole("heading", { level: 1 })).toHaveCount(1);
        expect
          .soft(await horizontalOverflow(page), `${routeName(route)} scrolls sideways`)
          .toBeLessThanOrEqual(0);
        expect.soft(await a11yViolations(page), `axe on ${routeName(route)}`).toEqual([]);
        expect.soft(await tabThrough(page), `Tab on ${routeName(route)}`).toEqual([]);
        if (width !== DARK_AT) return;
        await page.setViewportSize({ width: NARROWEST, height: 800 });
        expect
          .soft(await horizontalOverflow(page), `${routeName(route)} scrolls sideways, narrow`)
          .toBeLessThanOrEqual(0);
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme: "dark" });
        const dark = await a11yViolations(page, ["color-contrast"]);
        expect.soft(dark, `axe on ${routeName(route)}, dark`).toEqual([]);
        await page.emulateMedia({ colorScheme: "light" });
      });
    }
    expect(elsewhere, "requests to other hosts").toEqual([]);
  });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("every page can be read", async ({ page }) => {
    test.setTimeout(600_000);
    for (const route of ROUTES) {
      const address = await addressOf(page, route);
      // A busy server leaves a page to the browser for a few seconds.
      const rendered = page.locator("#root > *").first();
      await expect(async () => {
        await page.goto(address, { waitUntil: "domcontentloaded" });
        await expect(rendered, address).toBeAttached({ timeout: 2_000 });
      }).toPass({ timeout: 60_000 });
      await expect.soft(page.getByRole("heading", { level: 1 }), address).toBeVisible();
      await expect.soft(page.locator("main"), address).toHaveText(/\S.{60}/s);
    }
  });
});
