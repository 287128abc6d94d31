// `make shots`: screenshots of every page, at every width, in both themes.
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { hydrated } from "./locators";
import { fillCartAndWishlist, ROUTES, routeName, WIDTHS } from "./routes";
import { openBuild, test } from "./shop";

const folder = resolve(process.env.HAAT_TEST_SHOTS ?? "../shots");

const shots = test.extend<object, { shopUrl: string }>({
  shopUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies here: none.
    async ({}, use) => {
      const shop = await openBuild("dist");
      await use(shop.url);
      await shop.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
});

// A missing page is logged in the console, too.
shots.use({ contextOptions: { reducedMotion: "reduce" }, allowedErrors: [/./], trace: "off" });

// Pictures further down load lazily.
async function allPictures(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const pictures = [...document.images].filter((img) => img.checkVisibility());
    for (const img of pictures) img.loading = "eager";
    return pictures.every((img) => img.complete && img.naturalWidth > 0);
  });
}

for (const width of WIDTHS) {
  for (const colorScheme of ["light", "dark"] as const) {
    shots(`${width} pixels, ${colorScheme}`, async ({ page }) => {
      shots.setTimeout(600_000);
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      for (const route of ROUTES) {
        if (route.withItems) await fillCartAndWishlist(page);
        await page.goto(route.address);
        await hydrated(page);
        await allPictures(page);
        const path = join(folder, `${routeName(route)}-${width}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
    });
  }
}
