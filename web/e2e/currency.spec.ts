import type { Page } from "@playwright/test";
import { firstProduct, hydrated } from "./locators";
import { expect, test } from "./shop";

const prices = (page: Page) => page.locator("main li p", { hasText: /^[$৳]/ });

test("a chosen currency shows at once, on the next page and after a reload", async ({ page }) => {
  await page.goto("/");
  await hydrated(page);
  await expect(prices(page).first()).toContainText("$");
  await page.getByLabel("Currency").selectOption("BDT");
  await expect(prices(page).first()).toHaveText(/^৳[\d,]+/);
  await firstProduct(page).click();
  await expect(page).toHaveURL(/\/product\//);
  await expect(page.locator("main")).toContainText("৳");
  await expect(page.locator("main")).not.toContainText("$");
  await page.reload();
  await expect(page.locator("main")).toContainText("৳");
  await expect(page.getByLabel("Currency")).toHaveValue("BDT");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the currency is a form that returns to the page", async ({ page }) => {
    await page.goto("/");
    await firstProduct(page).click();
    await expect(page).toHaveURL(/\/product\//);
    const address = page.url();
    await page.getByLabel("Currency").selectOption("BDT");
    await page.getByRole("button", { name: "Change" }).click();
    await expect(page).toHaveURL(address);
    await expect(page.locator("main")).toContainText("৳");
    await page.goto("/");
    await expect(prices(page).first()).toHaveText(/^৳[\d,]+/);
  });
});
