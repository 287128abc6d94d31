// The home page: its size, slider, loading more products, links.
import type { Page } from "@playwright/test";
import { emailsTo } from "./identity";
import { hydrated } from "./locators";
import { expect, test, withMotion } from "./shop";

test.use(withMotion);

const ALL = 64;
const EACH_SLIDE = 6_000;

const slider = (page: Page) => page.getByRole("region", { name: "From the stall" });
const press = (page: Page, name: string) => slider(page).getByRole("button", { name }).click();
const products = (page: Page) => page.getByRole("region", { name: "Products", exact: true });
const more = (page: Page) => products(page).getByRole("button", { name: "Show more" });

async function open(page: Page): Promise<void> {
  await page.goto("/");
  await hydrated(page);
}

// Counts the slider's scroll calls; the position follows only later.
async function countMoves(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const moves = Object.assign(window, { moves: 0 });
    const scrollTo = Element.prototype.scrollTo;
    Element.prototype.scrollTo = function (...to: unknown[]) {
      moves.moves += 1;
      scrollTo.apply(this, to as [x: number, y: number]);
    };
  });
  return () => page.evaluate(() => (window as unknown as { moves: number }).moves);
}

// The slider pauses while it has the pointer or the focus.
async function leaveSlider(page: Page): Promise<void> {
  await page.locator("header").hover({ position: { x: 2, y: 2 } });
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
}

for (const [address, language] of [
  ["/", "English"],
  ["/bn", "Bangla"],
] as const) {
  test(`a first visit in ${language} loads at most 20 kB of CSS and 120 kB of code`, async ({
    page,
  }) => {
    await page.goto(address);
    await hydrated(page);
    const [css, code] = await page.evaluate(() => {
      const size = (url: string) =>
        performance
          .getEntriesByName(new URL(url, location.href).href)
          .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0);
      const weight = (urls: string[]) => urls.reduce((sum, url) => sum + size(url), 0);
      const sheets = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
      // The modules that the page starts with; the others are loaded when they are needed.
      const modules = document.getElementById("page")?.dataset.code?.split(" ") ?? [];
      return [weight(sheets.map(({ href }) => href)), weight(modules)] as const;
    });
    expect(css).toBeGreaterThan(0);
    expect(css).toBeLessThanOrEqual(20_000);
    expect(code).toBeGreaterThan(0);
    expect(code).toBeLessThanOrEqual(120_000);
  });
}

test("the slider moves by its buttons and by the arrow keys", async ({ page }) => {
  await open(page);
  await expect(slider(page).getByText("1 / 3")).toBeVisible();
  await press(page, "Next slide");
  await expect(slider(page).getByText("2 / 3")).toBeVisible();
  const second = slider(page).getByRole("heading", { name: "Quiet enough to hear it all" });
  await expect(second).toBeInViewport();
  await press(page, "Previous slide");
  await expect(slider(page).getByText("1 / 3")).toBeVisible();
  await press(page, "Previous slide");
  await expect(slider(page).getByText("3 / 3")).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(slider(page).getByText("1 / 3")).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await expect(slider(page).getByText("3 / 3")).toBeVisible();
});

test("the slider moves by itself until it is stopped", async ({ page }) => {
  const moves = await countMoves(page);
  await page.clock.install();
  await open(page);
  await leaveSlider(page);
  await page.clock.fastForward(EACH_SLIDE);
  await expect(slider(page).getByText("2 / 3")).toBeVisible();
  await press(page, "Stop the slides");
  await leaveSlider(page);
  const before = await moves();
  await page.clock.runFor(3 * EACH_SLIDE);
  expect(await moves()).toBe(before);
  await press(page, "Let the slides move");
  await leaveSlider(page);
  await page.clock.fastForward(EACH_SLIDE);
  await expect(slider(page).getByText("3 / 3")).toBeVisible();
});

test.describe("with reduced motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("the slider does not move by itself", async ({ page }) => {
    const moves = await countMoves(page);
    await page.clock.install();
    await open(page);
    await leaveSlider(page);
    await page.clock.runFor(3 * EACH_SLIDE);
    expect(await moves()).toBe(0);
    await press(page, "Next slide");
    await expect(slider(page).getByText("2 / 3")).toBeVisible();
  });
});

test("more products are loaded until all are shown", async ({ page }) => {
  await open(page);
  const cards = products(page).locator("li h3");
  await expect(products(page).getByText(`${ALL} products`)).toBeVisible();
  let shown = await cards.count();
  expect(shown).toBeLessThan(ALL);
  while (shown < ALL) {
    await expect(products(page).getByText(`${shown} of ${ALL}`)).toBeVisible();
    await more(page).click();
    await expect.poll(() => cards.count()).toBeGreaterThan(shown);
    const next = await cards.count();
    await expect(page.getByRole("status")).toHaveText(`${next - shown} more products shown`);
    shown = next;
  }
  await expect(more(page)).toHaveCount(0);
  expect(new Set(await cards.allTextContents()).size).toBe(ALL);
});

test.describe("when more products do not load", () => {
  test.use({ allowedErrors: [/net::ERR_FAILED/] });

  test("that is reported, with a retry", async ({ page }) => {
    await open(page);
    const before = await products(page).locator("li h3").count();
    await page.route("**/api/products?*", (route) => route.abort());
    await more(page).click();
    await expect(page.getByRole("alert")).toContainText("More products");
    await page.unroute("**/api/products?*");
    await page.getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => products(page).locator("li h3").count()).toBeGreaterThan(before);
  });
});

test("promises, categories, posts and pictures link to their pages", async ({ page }) => {
  await open(page);
  const promises = page.getByRole("list", { name: "What we promise" }).getByRole("listitem");
  await expect(promises).toHaveText([
    /^Free Delivery.*over \$1,000,000$/,
    /^30 Days Return/,
    /^Secure Payment/,
    /^24\/7 Support/,
  ]);
  await expect(promises.getByRole("link", { name: "30 Days Return" })).toHaveAttribute(
    "href",
    "/return",
  );

  await page.getByLabel("Currency").selectOption("BDT");
  await expect(promises.first()).toHaveText(/over ৳[\d,]+$/);
  await page.getByLabel("Currency").selectOption("USD");

  const categories = page.getByRole("region", { name: "Explore Popular Categories" });
  await expect(categories.getByRole("link")).toHaveCount(8);
  await expect(categories.getByRole("link", { name: "Lighting" })).toHaveAttribute(
    "href",
    "/category/lighting",
  );

  const gallery = page.locator("footer").getByRole("list", { name: "Gallery" });
  await expect(gallery.getByRole("link")).toHaveCount(6);
  for (const link of await gallery.getByRole("link").all()) {
    await expect(link).toHaveAttribute("href", "https://www.instagram.com/");
    await expect(link).toHaveAccessibleName(/\w/);
  }

  const posts = page.getByRole("region", { name: "Latest Blog" });
  await expect(posts.getByRole("article")).toHaveCount(3);
  await expect(posts.getByRole("link", { name: "Read all posts" })).toHaveAttribute(
    "href",
    "/blog",
  );
  const title = (await posts.getByRole("heading", { level: 3 }).first().textContent()) ?? "";
  await posts.getByRole("link", { name: title }).click();
  await expect(page).toHaveURL(/\/blog\/.+/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
});

test("the home page has the newsletter form", async ({ page }) => {
  const email = `home-${Date.now()}@example.com`;
  await open(page);
  const newsletter = page.getByRole("region", { name: "One letter a month" });
  // Only one form: none in the footer.
  await expect(page.getByRole("button", { name: "Subscribe" })).toHaveCount(1);
  await expect(newsletter.getByLabel("E-mail address")).toHaveAttribute("type", "email");
  await newsletter.getByLabel("E-mail address").fill(email);
  await newsletter.getByRole("button", { name: "Subscribe" }).click();
  await expect(newsletter.getByText("Almost there")).toBeVisible();
  const confirm = () => emailsTo(page, email, "Confirm that you want our letter");
  await expect.poll(async () => (await confirm()).length).toBe(1);
});
