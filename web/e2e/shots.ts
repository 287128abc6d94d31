// `make shots`: every page as a person sees it, at every width, by day and by night.
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { alive } from "./at";
import { openBuild, test } from "./shop";
import { carry, nameOf, STOPS, WIDTHS } from "./stops";

const folder = resolve(process.env.HAAT_TEST_SHOTS ?? "../shots");

const shots = test.extend<object, { shopUrl: string }>({
  shopUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
    async ({}, use) => {
      const shop = await openBuild("dist");
      await use(shop.url);
      await shop.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
});

// A page that is missing is told in the console, too.
shots.use({ contextOptions: { reducedMotion: "reduce" }, tolerated: [/./], trace: "off" });

// What lies further down comes only when it is looked at.
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
      for (const stop of STOPS) {
        if (stop.goods) await carry(page);
        await page.goto(stop.address);
        await alive(page);
        await allPictures(page);
        const path = join(folder, `${nameOf(stop)}-${width}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
    });
  }
}
