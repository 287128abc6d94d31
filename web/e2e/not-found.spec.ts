import { firstProduct, hydrated, isMarked, markWindow } from "./locators";
import { expect, test } from "./shop";

test.use({ allowedErrors: [/\b404\b/] });

for (const address of ["/no-such-page", "/product/no-such-product", "/category/no-such-category"]) {
  test(`${address} says so and links home`, async ({ page }) => {
    const answer = await page.goto(address);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.getByRole("link", { name: "Back to the shop" }).click();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole("heading", { name: "Products", exact: true })).toBeVisible();
  });
}

test("a client navigation to a missing page shows the same page, at its URL", async ({ page }) => {
  await page.goto("/");
  await hydrated(page);
  await markWindow(page);
  await firstProduct(page).evaluate((link) => link.setAttribute("href", "/product/sold-long-ago"));
  await firstProduct(page).click();
  await expect(page).toHaveURL(/\/product\/sold-long-ago$/);
  await expect(page.getByRole("link", { name: "Back to the shop" })).toBeVisible();
  expect(await isMarked(page)).toBe(true);
});
