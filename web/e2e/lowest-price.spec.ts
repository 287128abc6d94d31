// The price before a reduction is the lowest of the last days, where the shop says so.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectAccessible, expectNoOverflow } from "./a11y";
import { importRow, product } from "./customer";
import { hydrated } from "./locators";
import { expect, test } from "./shop";

const MUG = "marl-stoneware-mug";

test.use({ settings: ["--lowest-price-days", "30"] });

test("a reduced price is shown beside the lowest one before it, or alone", async ({
  page,
  cli,
}) => {
  const mug = importRow(await product(page.request, MUG));
  const price = async (prices: object) => {
    const file = join(mkdtempSync(join(tmpdir(), "haat-prices-")), "catalog.json");
    const one = { ...mug, offerPrice: null, ...prices };
    writeFileSync(file, JSON.stringify({ categories: [], products: [one] }));
    await cli("import", file);
  };
  const shown = async (text: string) => {
    await expect(async () => {
      await page.goto(`/product/${MUG}`);
      await expect(page.locator("main")).toContainText(text, { timeout: 500 });
    }).toPass();
    await hydrated(page);
  };
  await price({ realPrice: 16 });
  await price({ realPrice: 20, offerPrice: 12 });
  await shown("Lowest price of the last 30 days: $16.00");
  await expect(page.locator("main s").first()).toContainText("$16.00");
  await expect(page.locator("main")).toContainText("You save $4.00 (25%)");
  await expect(page.locator("main")).not.toContainText("$20.00");
  await expectAccessible(page, "a page with the lowest price");
  await expectNoOverflow(page, "a page with the lowest price");
  const tile = page.locator("main li", { has: page.getByRole("link", { name: /Marl/ }) }).first();
  await page.goto("/search?q=marl+mug");
  await expect(tile).toContainText("$12.00");
  await expect(tile).toContainText("$16.00");

  // Dearer than before, it is no reduction, whatever the list price is.
  await price({ realPrice: 20, offerPrice: 14 });
  await shown("$14.00");
  await expect(page.locator("main")).not.toContainText("Lowest price");
  await expect(page.getByRole("main").locator("s", { hasText: "$20.00" })).toHaveCount(0);
});
