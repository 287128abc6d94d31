// Every page in Bangla, at every width: no Latin words, no overflow, no errors, accessible as far as
// that depends on the language. all-pages.spec.ts has the same pages with all rules and in the dark.
import type { Page } from "@playwright/test";
import { a11yViolations, horizontalOverflow } from "./a11y";
import { expectBangla } from "./bangla-texts";
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

// React's development build, which reports hydration mismatches.
const test = testIn(() => openBuild("dist-dev"));

// Each width by itself: these are long tests.
test.describe.configure({ mode: "parallel" });

const missing = ROUTES.filter(({ missing }) => missing).map(({ address }) => address);

test.use({
  trace: "off",
  // The response event names the URL.
  allowedErrors: [new RegExp(`^404 http\\S+/bn(${missing.join("|")})$|status of 404`)],
});

// What people search for in Bangla: with a result, with a typing error, without a result.
const QUERIES: Record<string, string> = { lamp: "ল্যাম্প", hedphones: "হেডফোণ", zzzzqqq: "ঞঞঝঝঞঞ" };

// Pages for developers are in English.
const IN_ENGLISH = /^\/(api\/docs|dev\/ui)$/;

function inBangla(address: string): string {
  const url = new URL(address, "http://shop");
  const q = url.searchParams.get("q");
  if (q !== null) url.searchParams.set("q", QUERIES[q] ?? q);
  return `/bn${url.pathname === "/" ? "" : url.pathname}${url.search}`;
}

async function arrive(page: Page, route: Route): Promise<void> {
  const { withItems } = route;
  if (withItems) await fillCartAndWishlist(page);
  await page.goto(inBangla(await addressOf(page, route)));
  await hydrated(page);
  // Waits for the quote or the products.
  if (withItems) await page.waitForLoadState("networkidle");
}

// Rules of axe about texts; undefined for all rules.
const all = process.env.HAAT_TEST_ALL !== undefined;
const RULES = all
  ? undefined
  : [
      ...["document-title", "html-has-lang", "html-lang-valid", "valid-lang", "image-alt"],
      ...["button-name", "link-name", "select-name", "label", "label-content-name-mismatch"],
      ...["aria-input-field-name", "aria-toggle-field-name", "aria-dialog-name", "empty-heading"],
      ...["landmark-unique", "frame-title", "summary-name"],
    ];
// The width at which it is also tried at the narrowest.
const NARROW_AT = 360;

for (const width of all ? WIDTHS : [NARROW_AT]) {
  test(`every page in Bangla at ${width} pixels`, async ({ page }) => {
    test.setTimeout(600_000);
    await page.setViewportSize({ width, height: 800 });
    for (const route of ROUTES) {
      const name = `bn-${routeName(route)}`;
      await test.step(name, async () => {
        await arrive(page, route);
        await expect.soft(page.locator("html"), name).toHaveAttribute("lang", "bn");
        await expect.soft(page.getByRole("heading", { level: 1 }), name).toHaveCount(1);
        const overflow = await horizontalOverflow(page);
        expect.soft(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0);
        expect.soft(await clippedTexts(page), `clipped on ${name}`).toEqual([]);
        if (!IN_ENGLISH.test(route.address)) await expectBangla(page, name);
        expect.soft(await a11yViolations(page, RULES), `axe on ${name}`).toEqual([]);
        if (width !== NARROW_AT) return;
        await page.setViewportSize({ width: NARROWEST, height: 800 });
        const narrow = await horizontalOverflow(page);
        expect.soft(narrow, `${name} scrolls sideways, narrow`).toBeLessThanOrEqual(0);
        await page.setViewportSize({ width, height: 800 });
      });
    }
  });
}

// Buttons and labels in one line that are cut off: Bangla words are longer than English ones, and
// their vowel signs reach above and below the line.
function clippedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const one = document.querySelectorAll<HTMLElement>(
      "button, a, summary, label, h1, h2, h3, dt, dd",
    );
    return [...one].flatMap((element) => {
      const style = getComputedStyle(element);
      const { overflowX, overflowY } = style;
      // Shortened on purpose.
      if (style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none") return [];
      if (!element.checkVisibility() || element.clientWidth <= 1) return [];
      if (element.closest(".visually-hidden, .skip-link")) return [];
      const { scrollWidth, clientWidth, scrollHeight, clientHeight, textContent } = element;
      const wide = overflowX !== "visible" && scrollWidth > clientWidth + 1;
      const high = overflowY !== "visible" && scrollHeight > clientHeight + 1;
      return wide || high ? [(textContent ?? "").trim().slice(0, 40)] : [];
    });
  });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("every page can be read in Bangla", async ({ page }) => {
    test.setTimeout(600_000);
    for (const route of ROUTES) {
      const address = await addressOf(page, route);
      // A busy server leaves a page to the browser for a few seconds.
      const rendered = page.locator("#root > *").first();
      await expect(async () => {
        await page.goto(inBangla(address), { waitUntil: "domcontentloaded" });
        await expect(rendered, address).toBeAttached({ timeout: 2_000 });
      }).toPass({ timeout: 60_000 });
      await expect.soft(page.locator("main"), address).toHaveText(/\S.{60}/s);
      if (!IN_ENGLISH.test(address)) {
        const heading = page.getByRole("heading", { level: 1 });
        await expect.soft(heading, address).toHaveText(/[\u0980-\u09ff]/);
      }
    }
  });
});

const HEADS = [
  { path: "/", bangla: "/bn" },
  { path: "/product/tarn-over-ear-headphones", bangla: "/bn/product/tarn-over-ear-headphones" },
  { path: "/blog/the-words-on-a-watch", bangla: "/bn/blog/the-words-on-a-watch" },
];

for (const { path, bangla } of HEADS) {
  test(`search engines find ${path} in both languages`, async ({ page, shopUrl }) => {
    const href = (selector: string) =>
      page
        .locator(`head link${selector}`)
        .evaluateAll((links: HTMLLinkElement[]) =>
          links.map(({ href }) => href.replace(/\/$/, "")),
        );
    const meta = page.locator('head meta[property="og:locale"]');
    const absolute = (address: string) => new URL(address, shopUrl).href.replace(/\/$/, "");
    for (const [address, locale] of [
      [path, "en_GB"],
      [bangla, "bn_BD"],
    ] as const) {
      await page.goto(address);
      expect(await href('[rel="canonical"]')).toEqual([absolute(address)]);
      expect(await href('[hreflang="en"]')).toEqual([absolute(path)]);
      expect(await href('[hreflang="bn"]')).toEqual([absolute(bangla)]);
      expect(await href('[hreflang="x-default"]')).toEqual([absolute(path)]);
      await expect(meta).toHaveAttribute("content", locale);
    }
  });
}
