// The demo shop's pictures as a browser loads them.
import type { Page, Response } from "@playwright/test";
import { firstProduct, hydrated } from "./locators";
import { expect, test } from "./shop";

// Waits for every picture of a page, on a screen that is tall enough for all, and returns those
// without dimensions.
async function picturesWithoutSize(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 1280, height: 6000 });
  const pictures = page.locator("main picture:visible img");
  const seen = () =>
    pictures.evaluateAll((all) => {
      const shown = all.filter((img) => img.getBoundingClientRect().left < innerWidth);
      return (shown as HTMLImageElement[]).map((img) => ({
        src: img.currentSrc || img.src,
        there: img.complete && img.naturalWidth > 0,
        sized: Number(img.getAttribute("width")) > 0 && Number(img.getAttribute("height")) > 0,
      }));
    });
  await expect
    .poll(async () => (await seen()).filter(({ there }) => !there), { timeout: 90_000 })
    .toEqual([]);
  const found = await seen();
  expect(found.length).toBeGreaterThan(4);
  return found.filter(({ sized }) => !sized).map(({ src }) => src);
}

function pictureFormats(page: Page): Set<string> {
  const kinds = new Set<string>();
  page.on("response", (response: Response) => {
    if (response.url().includes("/media/")) kinds.add(response.headers()["content-type"] ?? "");
  });
  return kinds;
}

const MODERN = ["image/avif", "image/webp"];

test("home and a product show pictures of known size in a modern format", async ({ page }) => {
  const seen = pictureFormats(page);
  await page.goto("/");
  await hydrated(page);
  expect(await picturesWithoutSize(page)).toEqual([]);
  await page.goto((await firstProduct(page).getAttribute("href")) ?? "");
  await hydrated(page);
  expect(await picturesWithoutSize(page)).toEqual([]);
  expect(seen.size).toBeGreaterThan(0);
  expect([...seen].filter((kind) => !MODERN.includes(kind))).toEqual([]);
});

test("the pictures of home's first screen weigh less than 250 KB", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/");
  await hydrated(page);
  const weight = await page.waitForFunction(() => {
    const shown = [...document.images].filter((img) => {
      const at = img.getBoundingClientRect();
      return at.top < innerHeight && at.bottom > 0 && at.left < innerWidth && at.right > 0;
    });
    const files = [...new Set(shown.map((img) => img.currentSrc))];
    const sizes = files.map((file) => {
      const [fetched] = performance.getEntriesByName(file) as PerformanceResourceTiming[];
      return fetched?.encodedBodySize ?? 0;
    });
    const all = sizes.length > 0 && sizes.every((size) => size > 0);
    return all && sizes.reduce((sum, size) => sum + size, 0);
  });
  expect(await weight.jsonValue()).toBeLessThan(250_000);
});

test.describe("when the server is too busy to encode a picture", () => {
  test.use({ allowedErrors: [/\b503\b/] });

  test("the picture is requested again", async ({ page }) => {
    let refused = 0;
    await page.route("**/media/**", async (route) => {
      refused += 1;
      if (refused > 2) return route.continue();
      return route.fulfill({ status: 503, headers: { "cache-control": "no-store" }, body: "" });
    });
    await page.goto("/product/heron-desk-lamp");
    await hydrated(page);
    const first = page.locator("main picture img").first();
    await expect
      .poll(() => first.evaluate((img: HTMLImageElement) => img.naturalWidth), { timeout: 30_000 })
      .toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(2);
  });
});

test("a product's colours and thumbnails lead to their pictures", async ({ page }) => {
  await page.goto("/product/tarn-over-ear-headphones");
  await hydrated(page);
  const main = page.getByRole("main");
  await expect(main.getByText("Colour: Sand")).toBeVisible();
  await main.getByRole("link", { name: "Moss", exact: true }).click();
  await expect(main.getByText("Colour: Moss")).toBeVisible();
  await expect(main.getByRole("img", { name: /headphones in moss/ })).toBeInViewport();
  await expect(main.getByRole("img", { name: /headphones in sand stand/ })).not.toBeInViewport();
  await expect(main.getByRole("link", { name: /^Picture 5:/ })).toHaveAttribute(
    "aria-current",
    "true",
  );
  // To look at another picture is not to choose.
  await main.getByRole("link", { name: /^Picture 2:/ }).click();
  await expect(main.getByRole("img", { name: /sand headphones from the side/ })).toBeInViewport();
  await expect(main.getByText("Colour: Moss")).toBeVisible();
  await expect(page).toHaveURL(/headphones\?colour=Moss$/);
});

test("the picture's URL for other programs is absolute", async ({ page, request }) => {
  await page.goto("/product/tarn-over-ear-headphones");
  const image = page.locator('meta[property="og:image"]');
  const address = (await image.getAttribute("content")) ?? "";
  expect(address).toMatch(/^https?:\/\/.+\/media\/[0-9a-f]{40}\/1200\.jpg$/);
  const answer = await request.get(new URL(address).pathname);
  expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "image/jpeg"]);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("pictures are shown, and thumbnails lead to them", async ({ page }) => {
    await page.goto("/");
    expect(await picturesWithoutSize(page)).toEqual([]);
    await page.goto("/product/tarn-over-ear-headphones");
    expect(await picturesWithoutSize(page)).toEqual([]);
    await page.getByRole("link", { name: /^Picture 3:/ }).click();
    await expect(page).toHaveURL(/#picture-3$/);
    await expect(page.getByRole("img", { name: /cushion, its seam/ })).toBeInViewport();
  });
});
