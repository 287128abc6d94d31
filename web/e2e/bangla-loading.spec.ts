// What the browser loads of each language, and the service worker in Bangla.
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { bn, header, heading, openPage } from "./bangla";
import { expectBangla } from "./bangla-texts";
import { newEmail } from "./customer";
import { controlled, firstProduct, hydrated } from "./locators";
import { expect, test, testWithWorker } from "./shop";

const MESSAGES = resolve(import.meta.dirname, "../../messages");
const KILOBYTE = 1024;

type Loaded = { scripts: string; fonts: Map<string, number> };

// What a visit of several pages loads, with each one's code.
async function visit(page: Page, addresses: string[]): Promise<Loaded> {
  const urls = { script: new Set<string>(), font: new Set<string>() };
  page.on("response", (answer) => {
    const type = answer.request().resourceType();
    if ((type === "script" || type === "font") && answer.ok()) urls[type].add(answer.url());
  });
  for (const address of addresses) await openPage(page, address);
  await page.evaluate(() => document.fonts.ready);
  await page.waitForLoadState("networkidle");
  // The browser drops the bodies of a page that it has left: they are requested again.
  const body = async (url: string) => (await page.request.get(url)).body();
  const scripts = await Promise.all([...urls.script].map(body));
  const fonts = [...urls.font].map(
    async (url) => [new URL(url).pathname, (await body(url)).length] as const,
  );
  return { scripts: scripts.join("\n"), fonts: new Map(await Promise.all(fonts)) };
}

const isBengali = (path: string) => /bengali/.test(path);

// The texts of a language that stand in no bundle but its own.
function messages(code: string): string[] {
  const files = readdirSync(resolve(MESSAGES, code)).filter((file) => file !== "language.json");
  return files.flatMap((file) => {
    const texts = JSON.parse(readFileSync(resolve(MESSAGES, code, file), "utf8")) as object;
    return Object.values(texts) as string[];
  });
}

const PAGES = ["", "/product/tarn-over-ear-headphones", "/cart", "/about"];

test("a visit in English loads nothing of Bangla", async ({ page }) => {
  const { scripts, fonts } = await visit(page, ["/", ...PAGES.slice(1)]);
  expect(fonts.size).toBeGreaterThan(0);
  expect([...fonts.keys()].filter(isBengali)).toEqual([]);
  const text = scripts.replace(/\\u([\da-f]{4})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  // Only how the language names and offers itself.
  const own = Object.values(bn.language).join(" ");
  const words = text.match(/[\u0980-\u09e3]{3,}/g) ?? [];
  expect(words.filter((word) => !own.includes(word))).toEqual([]);
});

test("a visit in Bangla loads no English messages, and its fonts are small", async ({ page }) => {
  const { scripts, fonts } = await visit(
    page,
    PAGES.map((path) => `/bn${path}`),
  );
  const bengali = [...fonts].filter(([path]) => isBengali(path));
  expect(bengali.length).toBeGreaterThan(0);
  const bytes = bengali.reduce((sum, [, size]) => sum + size, 0);
  expect(bytes).toBeLessThanOrEqual(90 * KILOBYTE);
  const english = messages("en").filter((text) => /^[^{<]{20,}$/.test(text));
  expect(english.length).toBeGreaterThan(100);
  expect(english.filter((text) => scripts.includes(text))).toEqual([]);
});

// Every URL in any cache.
function cachedUrls(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys();
    const held = names.map(async (name) => await (await caches.open(name)).keys());
    return (await Promise.all(held)).flat().map(({ url }) => new URL(url).pathname);
  });
}

testWithWorker.describe("with the service worker", () => {
  testWithWorker.use({
    allowedErrors: [/net::ERR_(INTERNET_DISCONNECTED|FAILED|ABORTED)|Failed to fetch/],
  });

  testWithWorker(
    "viewed pages can be read offline, and other ones say so in Bangla",
    async ({ page, context }) => {
      // The worker is installed by a page in English.
      await openPage(page, "/about");
      await expect.poll(() => cachedUrls(page)).toContain("/offline");
      await openPage(page, "/bn/category/audio");
      const cached = ["/bn/category/audio", "/bn/offline"];
      await expect.poll(() => cachedUrls(page)).toEqual(expect.arrayContaining(cached));

      await context.setOffline(true);
      await page.reload();
      await expect(heading(page)).toHaveText("অডিও");
      await hydrated(page);
      await header(page).getByRole("link", { name: bn.common.blog }).click();
      await expect(heading(page)).toHaveText(bn.layout.offline);
      await expect(page).toHaveURL(/\/bn\/blog$/);
      await expect(page.locator("html")).toHaveAttribute("lang", "bn");
      // Pages in English are not among those that can be read.
      const seen = page.getByRole("navigation", { name: bn.layout.readMeanwhile });
      await expect(seen.getByRole("link")).toHaveText([/^অডিও/]);
      await expectBangla(page, "the offline page");
      await page.goto("/blog");
      await expect(page.locator("html")).toHaveAttribute("lang", "en");
      await page.goBack();

      await context.setOffline(false);
      await expect(heading(page)).not.toHaveText(bn.layout.offline);
      await expect(page).toHaveURL(/\/bn\/blog$/);
    },
  );

  testWithWorker(
    "Google makes an account, and leads back to the page in Bangla",
    async ({ page }) => {
      await openPage(page, "/bn/category/audio");
      await controlled(page);
      await firstProduct(page).click();
      await expect(page).toHaveURL(/\/bn\/product\//);
      const product = page.url();
      await header(page).getByRole("link", { name: bn.common.signIn }).click();
      const opened = page.waitForEvent("popup");
      await page.getByRole("button", { name: "Google" }).click();
      const popup = await opened;
      await popup.waitForURL("**/dev/provider/authorize?*");
      await popup.getByLabel(/^name/i).fill("তারা সেন");
      await popup.getByLabel(/^e-?mail/i).fill(newEmail());
      const closed = popup.waitForEvent("close");
      await popup.getByRole("button", { name: "Continue" }).click();
      await closed;
      await expect(page).toHaveURL(product);
      await expect(header(page).getByText("তারা সেন")).toBeVisible();
    },
  );
});
