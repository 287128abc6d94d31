// Header, footer and overlays.
import type { Page } from "@playwright/test";
import {
  expectAccessible,
  expectNoOverflow,
  layoutShift,
  recordLayoutShifts,
  smallTargets,
} from "./a11y";
import { signedIn } from "./customer";
import { hydrated } from "./locators";
import { fillCartAndWishlist } from "./routes";
import { expect, test } from "./shop";

const tools = (page: Page) => page.getByRole("navigation", { name: "Shopping" });
const dialog = (page: Page) => page.getByRole("dialog");

async function open(page: Page, address: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await page.goto(address);
  await hydrated(page);
}

for (const scheme of ["light", "dark"] as const) {
  test(`overlays are accessible, ${scheme}`, async ({ page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme: scheme });
    await fillCartAndWishlist(page);
    await open(page, "/category/audio", 768);
    await expectAccessible(page, "category");
    await tools(page).getByRole("link", { name: /^Cart/ }).click();
    await expect(dialog(page).getByText("2 × $199.00")).toBeVisible();
    await expectAccessible(page, "cart panel");
    await page.keyboard.press("Escape");
    await tools(page).getByRole("link", { name: "Menu" }).click();
    await expect(dialog(page)).toHaveAccessibleName("Menu");
    await expectAccessible(page, "menu");
    await page.keyboard.press("Escape");
    const card = page.locator("main li:has(h3)").first();
    await card.hover();
    await card.getByRole("button", { name: /^Quick view/ }).click();
    await expect(dialog(page).getByRole("button", { name: "Add to cart" })).toBeVisible();
    await expectAccessible(page, "quick view");
    await expectNoOverflow(page, "quick view");
  });
}

test("header and footer have what the specification lists", async ({ page }) => {
  await open(page, "/", 1440);
  const site = page.locator("header").getByRole("navigation", { name: "Site" });
  const links = (names: [string, string][]) => names;
  for (const [name, url] of links([
    ["Home", "/"],
    ["About", "/about"],
    ["Cart", "/cart"],
    ["Blog", "/blog"],
    ["Contact", "/contact"],
  ])) {
    await expect(site.getByRole("link", { name })).toHaveAttribute("href", url);
  }
  const header = page.locator("header");
  await expect(header.getByRole("link", { name: "Track my order" })).toHaveAttribute(
    "href",
    "/track",
  );
  await expect(header.getByRole("search").getByLabel("Search for")).toBeVisible();
  await expect(header.getByLabel("Search in").locator("option")).toHaveCount(9);
  const footer = page.locator("footer");
  for (const [name, url] of links([
    ["About Us", "/about"],
    ["Contact Us", "/contact"],
    ["Blogs", "/blog"],
    ["Terms Of Use", "/terms_condition"],
    ["Privacy Policies", "/privacy"],
    ["Refund Policies", "/refund"],
    ["Return Policies", "/return"],
    ["My Order", "/login"],
  ])) {
    await expect(footer.getByRole("link", { name })).toHaveAttribute("href", url);
  }
  await expect(footer).toContainText(`© 2023–${new Date().getUTCFullYear()}`);
  await expect(footer.getByRole("list", { name: "Payment options" })).toContainText(
    "Cash on delivery",
  );
});

test("scrolling shrinks the header and moves nothing", async ({ page }) => {
  await open(page, "/category/audio", 1440);
  const header = page.locator("header");
  const before = await header.boundingBox();
  await page.mouse.wheel(0, 600);
  await expect.poll(async () => (await header.boundingBox())?.y).toBe(-44);
  const after = await header.boundingBox();
  expect(after?.height).toBe(before?.height);
  await expect(page.getByRole("navigation", { name: "Categories" })).toBeInViewport();
});

test("counts appear without a layout shift", async ({ page }) => {
  await fillCartAndWishlist(page);
  await recordLayoutShifts(page);
  await open(page, "/", 1440);
  await expect(tools(page).getByRole("link", { name: "Cart, 2 items" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(await layoutShift(page)).toBeLessThan(0.02);
});

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 720 } });

  test("menu, search and cart are at the bottom", async ({ page }) => {
    await page.goto("/");
    await hydrated(page);
    for (const link of await tools(page).getByRole("link").all()) {
      const box = await link.boundingBox();
      expect(box?.y).toBeGreaterThan(720 - 64);
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    }
    await tools(page).getByRole("link", { name: "Search" }).tap();
    await expect(page.getByLabel("Search for")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByLabel("Search for")).toBeHidden();
    await tools(page).getByRole("link", { name: "Menu" }).tap();
    await expect(dialog(page).getByRole("link", { name: "Sign in" })).toBeVisible();
    await dialog(page).getByRole("link", { name: "Lighting" }).tap();
    await expect(page).toHaveURL(/\/category\/lighting$/);
    await expect(dialog(page)).toHaveCount(0);
  });

  test("a signed-in customer finds the account in the menu and in the footer, and signs out", async ({
    page,
  }) => {
    await signedIn(page, "/track");
    const footer = page.getByRole("contentinfo");
    await expect(footer.getByRole("link", { name: "My Order" })).toHaveAttribute(
      "href",
      "/account",
    );
    await tools(page).getByRole("link", { name: "Menu" }).tap();
    await expect(dialog(page).getByRole("link", { name: "Account" })).toHaveAttribute(
      "href",
      "/account",
    );
    await dialog(page).getByRole("button", { name: "Logout" }).tap();
    await expect(dialog(page)).toHaveCount(0);
    await expect(footer.getByRole("link", { name: "My Order" })).toHaveAttribute("href", "/login");
  });

  test("a card's buttons can be touched", async ({ page }) => {
    await page.goto("/category/audio");
    await hydrated(page);
    const card = page.locator("main li:has(h3)", { hasText: "Tarn Studio Wired Headphones" });
    const icons = await card.getByRole("button").all();
    const columns = await Promise.all(icons.map(async (icon) => (await icon.boundingBox())?.x));
    expect(new Set(columns).size).toBe(1);
    // The heart and the add button, below each other.
    expect(icons).toHaveLength(2);
    for (const icon of icons) {
      await expect(icon).toBeVisible();
      const box = await icon.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    }
    await card.getByRole("button", { name: /^Add .* cart$/ }).tap();
    await expect(page.getByText("Successfully add your item!")).toBeVisible();
  });

  test("a product's button stays in view", async ({ page }) => {
    await page.goto("/product/tarn-over-ear-headphones");
    await hydrated(page);
    const buttons = page.getByRole("button", { name: "Add to cart" });
    await page.getByRole("heading", { name: "Related products" }).scrollIntoViewIfNeeded();
    await expect(buttons).toHaveCount(2);
    await expect(buttons.last()).toBeInViewport();
    await buttons.last().tap();
    await expect(tools(page).getByRole("link", { name: "Cart, 1 item" })).toBeVisible();
    // The message does not cover it.
    const overlap = async () => {
      const said = await page.getByText("Successfully add your item!").boundingBox();
      const bar = await buttons.last().boundingBox();
      return (said?.y ?? 0) + (said?.height ?? 0) - (bar?.y ?? 0);
    };
    await expect.poll(overlap).toBeLessThan(0);
  });

  test("a product's bar keeps the keyboard's focus", async ({ page }) => {
    await page.goto("/product/tarn-over-ear-headphones");
    await hydrated(page);
    const buttons = page.getByRole("button", { name: "Add to cart" });
    const related = page.getByRole("heading", { name: "Related products" });
    await related.scrollIntoViewIfNeeded();
    await expect(buttons).toHaveCount(2);
    await buttons.last().focus();
    await buttons.first().scrollIntoViewIfNeeded();
    await expect(related).not.toBeInViewport();
    await expect(buttons.last()).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(buttons).toHaveCount(1);
    await expect(page.locator("main :focus")).toHaveCount(1);
  });

  test("touch targets are large enough, and the bar's counts have names", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await fillCartAndWishlist(page);
    for (const address of ["/product/tarn-over-ear-headphones", "/category/audio", "/wishlist"]) {
      await page.goto(address);
      await hydrated(page);
      await expect(tools(page).getByRole("link", { name: "Cart, 2 items" })).toBeVisible();
      expect(await smallTargets(page), address).toEqual([]);
      await expectAccessible(page, `${address} with counts`);
    }
    await page.goto("/dev/mail");
    await expectAccessible(page, "the demo's mailbox");
  });

  for (const address of ["/account", "/cart", "/wishlist", "/"]) {
    test(`${address} of a guest loads without a layout shift`, async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await recordLayoutShifts(page);
      await page.goto(address);
      await hydrated(page);
      await page.waitForLoadState("networkidle");
      expect(await layoutShift(page)).toBeLessThan(0.02);
    });
  }
});

test("buying and browsing work by keyboard", async ({ page }) => {
  await open(page, "/category/audio", 1440);
  const card = page.locator("main li:has(h3)", { hasText: "Tarn Studio Wired Headphones" });
  await card.getByRole("link").first().focus();
  await page.keyboard.press("Tab");
  await expect(card.getByRole("button", { name: /wishlist$/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(card.getByRole("button", { name: /cart$/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(tools(page).getByRole("link", { name: "Cart, 1 item" })).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(card.getByRole("button", { name: /^Quick view/ })).toBeFocused();
});

test("a picture of any shape leaves the slider's text readable", async ({ page }) => {
  for (const width of [768, 1440]) {
    await open(page, "/dev/ui", width);
    // Its pictures are square.
    const slide = page.getByRole("region", { name: "An example" }).locator("li").first();
    const picture = await slide.locator("img").boundingBox();
    const title = await slide.getByRole("heading").boundingBox();
    expect((title?.x ?? 0) + (title?.width ?? 0)).toBeLessThanOrEqual(picture?.x ?? 0);
  }
});

test("a picture beside the slider's text is dimmed in the dark theme", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  for (const width of [360, 768, 1440]) {
    await open(page, "/dev/ui", width);
    const slide = page.getByRole("region", { name: "An example" }).locator("li").first();
    const overlay = await slide.locator("> :first-child").evaluate((frame) => {
      const { display, backgroundImage } = getComputedStyle(frame, "::after");
      return `${display} ${backgroundImage}`;
    });
    expect(overlay, `${width} pixels`).toMatch(/^block radial-gradient/);
  }
});

test("the slider moves by keys and buttons, and can be stopped", async ({ page }) => {
  await open(page, "/dev/ui", 1440);
  const slider = page.getByRole("region", { name: "An example" });
  await slider.scrollIntoViewIfNeeded();
  await slider.getByRole("button", { name: "Next slide" }).click();
  await expect(slider.getByText("2 / 3")).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(slider.getByText("3 / 3")).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(slider.getByText("1 / 3")).toBeVisible();
  await slider.getByRole("button", { name: "Stop the slides" }).click();
  await expect(slider.getByRole("button", { name: "Let the slides move" })).toBeFocused();
});
