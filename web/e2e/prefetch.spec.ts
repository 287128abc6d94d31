// Prefetching before a click, and view transitions after it.
import type { Page, Request } from "@playwright/test";
import { firstProduct, hydrated } from "./locators";
import { expect, test, withMotion } from "./shop";

test.use(withMotion);

const LIST = "/category/audio";
const code = (request: Request) => /\/assets\/product-[^/]+\.js$/.test(request.url());
const data = (request: Request) =>
  request.url().includes("/product/") && request.headers().accept === "application/json";

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
}

test("code for links in view is prefetched, their data is not", async ({ page }) => {
  const asked: Request[] = [];
  page.on("request", (request) => asked.push(request));
  const came = page.waitForRequest(code);
  await open(page, LIST);
  await came;
  await page.waitForLoadState("networkidle");
  expect(asked.filter(data)).toEqual([]);
});

for (const [way, point] of [
  ["pointed at", (page: Page) => firstProduct(page).hover()],
  ["focused", (page: Page) => firstProduct(page).focus()],
] as const) {
  test(`a link that is ${way} is prefetched once, before the click`, async ({ page }) => {
    const asked: Request[] = [];
    page.on("request", (request) => data(request) && asked.push(request));
    await open(page, LIST);
    const came = page.waitForRequest(data);
    await point(page);
    await came;
    await firstProduct(page).press("Enter");
    await expect(page.getByText(/^(In stock|Out of stock)/).first()).toBeVisible();
    expect(asked).toHaveLength(1);
  });
}

// The pictures moved in each transition so far.
type Watched = { moved: string[][] };

async function watchTransitions(page: Page): Promise<() => Promise<string[][]>> {
  await page.addInitScript(() => {
    const watched = Object.assign(window, { moved: [] }) as Watched;
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (change) => {
      const transition = start(change);
      void transition.ready.then(() => {
        const effects = document.getAnimations().map(({ effect }) => effect as KeyframeEffect);
        watched.moved.push(effects.map(({ pseudoElement }) => pseudoElement ?? ""));
      });
      return transition;
    };
  });
  return () => page.evaluate(() => (window as unknown as Watched).moved);
}

test("a card's picture moves into the product's, and back", async ({ page }) => {
  const moved = await watchTransitions(page);
  await open(page, LIST);
  await firstProduct(page).click();
  await expect(page).toHaveURL(/\/product\//);
  await expect.poll(async () => (await moved()).length).toBe(1);
  expect((await moved())[0]).toContain("::view-transition-group(picture)");
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`${LIST}$`));
  await expect.poll(async () => (await moved()).length).toBe(2);
  expect((await moved())[1]).toContain("::view-transition-group(picture)");
  const names = page.locator("[data-product] > [style*=view-transition-name]");
  await expect(names).toHaveCount(0);
});

test.describe("with reduced motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("nothing moves", async ({ page }) => {
    const moved = await watchTransitions(page);
    await open(page, LIST);
    await firstProduct(page).click();
    await expect(page.getByText(/^(In stock|Out of stock)/).first()).toBeVisible();
    expect(await moved()).toEqual([]);
  });
});
