// Narrow screens: 320 pixels, the least that a page must fit, and phones.
import type { Locator, Page } from "@playwright/test";
import { expectNoOverflow } from "./a11y";
import { buy, newCustomer, newEmail, signIn, withCart } from "./customer";
import { hydrated } from "./locators";
import { NARROWEST } from "./routes";
import { expect, test } from "./shop";

const LAPTOP = "harrow-14-laptop";
const NAME = "মিতালী দাস";

async function box(locator: Locator) {
  const found = await locator.boundingBox();
  if (found === null) throw new Error(`${locator} is not shown`);
  return { ...found, right: found.x + found.width, bottom: found.y + found.height };
}

function contentEnd(element: Element): number {
  const padding = Number.parseFloat(getComputedStyle(element).paddingRight);
  return element.getBoundingClientRect().right - padding;
}

async function inTaka(page: Page, shopUrl: string): Promise<void> {
  await page.context().addCookies([{ name: "currency", value: "BDT", url: shopUrl }]);
}

for (const prefix of ["", "/bn"]) {
  test(`the top bar fits at ${prefix || "/"}`, async ({ page }) => {
    const header = page.locator("header");
    for (const width of [NARROWEST, 360, 375, 393, 768]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${prefix}/track`);
      await hydrated(page);
      await expectNoOverflow(page, `${prefix} at ${width}`);
      const theme = await box(header.locator("button[title]"));
      expect(theme.width, `${width}`).toBe(44);
      // The icon ends at the margin of the content.
      const icon = await box(header.locator("button[title] svg"));
      const margin = await header.locator(".wrap").first().evaluate(contentEnd);
      expect(Math.abs(icon.right - margin), `${width}`).toBeLessThan(2);
      // The phone's icon, its number, or both; never a part of the number.
      const phone = header.locator("a[href^='tel:']");
      const [link, number] = [await box(phone), await box(phone.locator("span span"))];
      const isShown = number.y < link.bottom - 1;
      expect(isShown, `${width}`).toBe(number.right <= link.right && number.y === link.y);
      expect(link.width).toBeGreaterThanOrEqual(44);
      if (width === NARROWEST) expect(isShown).toBe(false);
      if (width >= 393) expect(isShown).toBe(true);
    }
  });

  test(`a customer's pages fit ${NARROWEST} pixels at ${prefix || "/"}`, async ({
    page,
    shopUrl,
  }) => {
    await page.setViewportSize({ width: NARROWEST, height: 800 });
    const email = newEmail();
    const token = await newCustomer(page, email, NAME);
    const { number } = await buy(page, token, { "tarn-over-ear-headphones": 2 });
    await page.goto("/login?from=/track");
    await hydrated(page);
    await signIn(page, email);
    await inTaka(page, shopUrl);
    await withCart(page, { [LAPTOP]: 2 });
    for (const address of [
      "/account",
      "/account/orders",
      `/account/orders/${number}`,
      "/account/credit",
      "/account/profile",
      "/cart",
      "/cart?step=checkout",
    ]) {
      await page.goto(`${prefix}${address}`);
      await hydrated(page);
      await page.waitForLoadState("networkidle");
      await expectNoOverflow(page, address);
    }
  });
}

test("a line of the cart shows a large amount beside the quantity", async ({ page, shopUrl }) => {
  await inTaka(page, shopUrl);
  await withCart(page, { [LAPTOP]: 6 });
  for (const width of [NARROWEST, 360, 390]) {
    await page.setViewportSize({ width, height: 800 });
    for (const prefix of ["/bn", ""]) {
      await page.goto(`${prefix}/cart`);
      await hydrated(page);
      const row = page.locator("tbody tr");
      const total = row.locator("td").nth(3);
      await expect(total).toHaveText(/^৳[\d০-৯]+,/);
      const quantity = await box(row.locator("input").locator("xpath=.."));
      expect((await box(total)).x, `${prefix} at ${width}`).toBeGreaterThan(quantity.right);
      await expectNoOverflow(page, `${prefix} at ${width}`);
    }
  }
});

test("the time left of an offer wraps beside its icon", async ({ page }) => {
  await page.goto("/product/tarn-over-ear-headphones");
  for (const width of [NARROWEST, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const icon = await box(page.getByRole("timer").first().locator("svg"));
    expect([icon.width, icon.height], `${width}`).toEqual([18, 18]);
  }
});

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("a message covers nothing but the header", async ({ page }) => {
    const message = page.getByText("Successfully add your item!");
    await page.goto("/product/tarn-over-ear-headphones");
    await hydrated(page);
    await page.getByRole("button", { name: "Add to cart" }).first().tap();
    await expect(message).toBeVisible();
    const said = await box(message.locator("xpath=.."));
    expect(said.bottom).toBeLessThanOrEqual((await box(page.locator("header"))).bottom);

    // The cart's panel shows what was added, and its title is at the same place.
    await page.getByRole("link", { name: /^Cart/ }).first().tap();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expect(message).toBeHidden();
  });
});

// The Bengali fonts that a page downloads.
function recordBengaliFonts(page: Page): string[] {
  const fonts: string[] = [];
  page.on("request", (request) => {
    if (/\/bengali-\w+/.test(request.url())) fonts.push(request.url());
  });
  return fonts;
}

test("pages in English download a Bengali font for Bangla alone", async ({ page, shopUrl }) => {
  const fonts = recordBengaliFonts(page);
  await inTaka(page, shopUrl);
  for (const address of ["/", "/category/audio", "/cart", "/about", "/login"]) {
    await page.goto(address);
    await hydrated(page);
    await page.waitForLoadState("networkidle");
  }
  expect(fonts).toEqual([]);

  const email = newEmail();
  await newCustomer(page, email, NAME);
  await page.goto("/login?from=/account");
  await hydrated(page);
  await signIn(page, email);
  await expect(page.getByText(NAME).first()).toBeVisible();
  await expect.poll(() => fonts.some((url) => url.includes("/bengali-text"))).toBe(true);
  const isLoaded = () =>
    page.evaluate((name) => document.fonts.check('16px "Noto Sans Bengali Subset"', name), NAME);
  await expect.poll(isLoaded).toBe(true);
});
