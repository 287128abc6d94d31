// Pages without server rendering, which the browser renders, as when the server is overloaded.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { firstCategory, firstProduct, hydrated } from "./locators";
import { expect, openBuild, testIn } from "./shop";

const test = testIn(async () => {
  const build = mkdtempSync(join(tmpdir(), "haat-unrendered-"));
  symlinkSync(resolve(import.meta.dirname, "../dist-dev/client"), join(build, "client"));
  mkdirSync(join(build, "server"));
  const bundle = 'globalThis.render = () => { throw new Error("not today"); };';
  writeFileSync(join(build, "server/server.js"), bundle);
  const shop = await openBuild(build);
  const stop = async () => {
    await shop.stop();
    rmSync(build, { recursive: true });
  };
  return { ...shop, stop };
});

test("are rendered by the browser, with one title at a time", async ({ page }) => {
  const answer = await page.goto("/");
  expect(await answer?.text()).toContain('<div id="root"></div>');
  await hydrated(page);
  const category = firstCategory(page);
  const name = (await category.textContent()) ?? "";
  for (const address of ["/", await category.getAttribute("href"), "/api/docs", "/login"]) {
    await page.goto(address ?? "");
    await hydrated(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.locator('link[rel="canonical"]')).toHaveCount(1);
    await expect(page.locator("head title")).toHaveCount(1);
  }

  await page.goto("/");
  await firstCategory(page).click();
  await expect(page).toHaveTitle(new RegExp(`^${name}`));
  const product = (await firstProduct(page).textContent()) ?? "";
  await firstProduct(page).click();
  await expect(page).toHaveTitle(new RegExp(`^${product}`));
});
