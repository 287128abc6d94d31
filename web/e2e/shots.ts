// `make shots`: screenshots of every page, at every width: in English and Bangla in both themes, and in
// the pseudo-locales (i18n/pseudo.ts), which show whether the layout holds in any language.
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { horizontalOverflow } from "./a11y";
import { hydrated } from "./locators";
import { addressOf, fillCartAndWishlist, ROUTES, routeName, WIDTHS } from "./routes";
import { expect, openBuild, testIn } from "./shop";

const folder = resolve(process.env.HAAT_TEST_SHOTS ?? "../shots");

const shots = testIn(() => openBuild("dist"));
const pseudoShots = testIn(() => openBuild("dist-pseudo", "--languages", "en,qpl,qpr"));

// A missing page is logged in the console, too.
for (const test of [shots, pseudoShots]) test.use({ allowedErrors: [/./], trace: "off" });

type Theme = "light" | "dark";

// Pictures further down load lazily.
async function allPictures(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const pictures = [...document.images].filter((img) => img.checkVisibility());
    for (const img of pictures) img.loading = "eager";
    return pictures.every((img) => img.complete && img.naturalWidth > 0);
  });
}

// The server knows the direction of real languages only.
async function writeRightToLeft(page: Page): Promise<void> {
  await page.route("**/*", async (route) => {
    if (route.request().resourceType() !== "document") return await route.fallback();
    const response = await route.fetch();
    const body = (await response.text()).replace('dir="ltr"', 'dir="rtl"');
    await route.fulfill({ response, body });
  });
}

async function takeShots(page: Page, language: string, width: number, colorScheme: Theme) {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  if (language === "qpr") await writeRightToLeft(page);
  const prefix = language === "en" ? "" : `${language}-`;
  for (const route of ROUTES) {
    if (route.withItems) await fillCartAndWishlist(page);
    const address = await addressOf(page, route);
    await page.goto(language === "en" ? address : `/${language}${address}`);
    await hydrated(page);
    await allPictures(page);
    const name = `${prefix}${routeName(route)}-${width}-${colorScheme}`;
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    expect.soft(await horizontalOverflow(page), `${name} scrolls sideways`).toBeLessThanOrEqual(0);
  }
}

const SERIES: { test: typeof shots; language: string; themes: Theme[] }[] = [
  { test: shots, language: "en", themes: ["light", "dark"] },
  { test: shots, language: "bn", themes: ["light", "dark"] },
  { test: pseudoShots, language: "qpl", themes: ["light"] },
  { test: pseudoShots, language: "qpr", themes: ["light"] },
];

for (const { test, language, themes } of SERIES) {
  test.describe(language, () => {
    for (const width of WIDTHS) {
      for (const theme of themes) {
        test(`${width} pixels, ${theme}`, async ({ page }) => {
          test.setTimeout(600_000);
          await takeShots(page, language, width, theme);
        });
      }
    }
  });
}
