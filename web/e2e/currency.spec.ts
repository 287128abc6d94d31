// The currency: chosen once, it is that of every page, however the page is reached.
import type { Page } from "@playwright/test";
import { firstProduct, hydrated, isMarked, markWindow } from "./locators";
import { expect, test } from "./shop";

const HEADPHONES = "/product/tarn-over-ear-headphones";

const prices = (page: Page) => page.locator("main li p", { hasText: /^[$৳]/ });
const currency = (page: Page) => page.getByLabel("Currency");

async function expectTaka(page: Page): Promise<void> {
  await expect(page.locator("main")).toContainText(/৳[\d,]+/);
  await expect(page.locator("main")).not.toContainText("$");
}

test("a chosen currency shows at once, on the next page and after a reload", async ({ page }) => {
  await page.goto("/");
  await hydrated(page);
  await markWindow(page);
  await expect(prices(page).first()).toContainText("$");
  await currency(page).selectOption("BDT");
  await expect(prices(page).first()).toHaveText(/^৳[\d,]+/);
  await expect(currency(page)).toHaveValue("BDT");
  await firstProduct(page).click();
  await expect(page).toHaveURL(/\/product\//);
  await expectTaka(page);
  expect(await isMarked(page)).toBe(true);
  await page.reload();
  await expect(page.locator("main")).toContainText("৳");
  await expect(currency(page)).toHaveValue("BDT");
});

test("Back and Forward show the chosen currency", async ({ page }) => {
  await page.goto("/category/audio");
  await hydrated(page);
  await markWindow(page);
  await expect(prices(page).first()).toContainText("$");
  await firstProduct(page).click();
  await expect(page).toHaveURL(/\/product\//);
  await expect(page.locator("main")).toContainText("$");
  await currency(page).selectOption("BDT");
  await expectTaka(page);
  await page.goBack();
  await expect(page).toHaveURL(/\/category\/audio$/);
  await expectTaka(page);
  await page.goForward();
  await expect(page).toHaveURL(/\/product\//);
  await expectTaka(page);
  await currency(page).selectOption("USD");
  await expect(page.locator("main")).not.toContainText("৳");
  await page.goBack();
  await expect(page).toHaveURL(/\/category\/audio$/);
  await expect(page.locator("main")).not.toContainText("৳");
  expect(await isMarked(page)).toBe(true);
});

test("a document that the browser kept follows the choice", async ({ page }) => {
  await page.goto(HEADPHONES);
  await hydrated(page);
  // It is loaded as a document.
  await page.goto("/contact");
  await hydrated(page);
  const shown = page.waitForResponse(/\/contact$/);
  await currency(page).selectOption("BDT");
  await (await shown).finished();
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${HEADPHONES}$`));
  await expectTaka(page);
});

test("what was typed stays, and what is added is in the chosen currency", async ({ page }) => {
  await page.goto(HEADPHONES);
  await hydrated(page);
  await page.getByLabel("Quantity of Tarn Over-Ear Headphones").fill("3");
  await currency(page).selectOption("BDT");
  await expectTaka(page);
  await expect(page.locator("main")).toContainText("৳23,980");
  await expect(page.getByLabel("Quantity of Tarn Over-Ear Headphones")).toHaveValue("3");
  await page.getByRole("button", { name: "Add to cart" }).first().click();
  await page
    .getByRole("navigation", { name: "Shopping" })
    .getByRole("link", { name: /^Cart/ })
    .click();
  await expect(page.getByRole("dialog").getByText("3 × ৳23,980")).toBeVisible();
  await expect(page.getByRole("dialog").getByText("৳71,940")).toBeVisible();
});

test("another tab's choice is that of the next page here", async ({ page, context }) => {
  await page.goto(HEADPHONES);
  await hydrated(page);
  await page.getByRole("button", { name: "Add to cart" }).first().click();
  const other = await context.newPage();
  await other.goto(new URL("/cart", page.url()).href);
  await hydrated(other);
  await other.getByLabel("Currency").selectOption("BDT");
  await expect(other.locator("main")).toContainText("৳23,980");
  await expect(page.locator("main")).toContainText("$");

  // Both show the same cart, each in its own currency.
  await page.getByRole("button", { name: "Add to cart" }).first().click();
  await expect(other.getByRole("row", { name: "Tarn" })).toContainText("৳47,960");
  await page
    .getByRole("navigation", { name: "Shopping" })
    .getByRole("link", { name: /^Cart/ })
    .click();
  await expect(page.getByRole("dialog").getByText("2 × $199.00")).toBeVisible();
  await expect(other.getByRole("row", { name: "Tarn" })).toContainText("৳47,960");
  await page.getByRole("dialog").getByRole("link", { name: "View Cart" }).click();
  await expect(page).toHaveURL(/\/cart$/);
  await expect(page.getByRole("row", { name: "Tarn" })).toContainText("৳47,960");
  await expect(page.locator("main")).not.toContainText("$");
});

test.describe("a currency that is withdrawn", () => {
  test.use({ allowedErrors: [/\b400\b/] });

  test("while a page is open, is no longer that of the page", async ({ page }) => {
    await page.clock.install();
    await page.goto(HEADPHONES);
    await hydrated(page);
    await page.getByRole("button", { name: "Add to cart" }).first().click();
    await page.goto("/cart");
    await hydrated(page);
    const quantity = page.getByLabel("Quantity of Tarn Over-Ear Headphones");
    await expect(page.getByRole("region", { name: "Cart Total" })).toContainText("$199.00");
    await markWindow(page);
    await page.clock.fastForward(60_000);
    const error = { code: "unknown_currency", message: "one of USD" };
    const refuse = { status: 400, json: { error } };
    await page.route("**/api/quote", (route) => route.fulfill(refuse), { times: 1 });
    await quantity.fill("2");
    await expect.poll(() => isMarked(page).catch(() => true)).toBe(false);
    await expect(page.getByRole("region", { name: "Cart Total" })).toContainText("$398.00");
  });
});

test.describe("without a connection", () => {
  test.use({ allowedErrors: [/net::ERR_INTERNET_DISCONNECTED|Failed to fetch/] });

  test("the currency stays, and that is said", async ({ page, context }) => {
    await page.goto(HEADPHONES);
    await hydrated(page);
    await page.getByLabel("Quantity of Tarn Over-Ear Headphones").fill("3");
    // The code that shows messages.
    await page.getByRole("button", { name: "Add to cart" }).first().click();
    await expect(page.getByText("Successfully add your item!")).toBeVisible();
    await context.setOffline(true);
    await currency(page).selectOption("BDT");
    await expect(page.getByText("The shop cannot be reached. Please try again.")).toBeVisible();
    await expect(currency(page)).toHaveValue("USD");
    await expect(page.getByLabel("Quantity of Tarn Over-Ear Headphones")).toHaveValue("3");
    await context.setOffline(false);
    await page.reload();
    await expect(currency(page)).toHaveValue("USD");
    await expect(page.locator("main")).not.toContainText("৳");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the currency is a form that returns to the page", async ({ page }) => {
    await page.goto("/");
    await firstProduct(page).click();
    await expect(page).toHaveURL(/\/product\//);
    const address = page.url();
    await currency(page).selectOption("BDT");
    await page.getByRole("button", { name: "Change" }).click();
    await expect(page).toHaveURL(address);
    await expect(page.locator("main")).toContainText("৳");
    await page.goto("/");
    await expect(prices(page).first()).toHaveText(/^৳[\d,]+/);
  });

  test("a price filter, which is in the other currency, is left out", async ({ page }) => {
    await page.goto("/category/audio?max=150&stock=in");
    await currency(page).selectOption("BDT");
    await page.getByRole("button", { name: "Change" }).click();
    await expect(page).toHaveURL(/\/category\/audio\?stock=in$/);
    await expect(page.getByRole("group", { name: "Price (৳)" })).toBeVisible();
  });
});
