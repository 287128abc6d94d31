// Search: words, suggestions, filters and sorting, in the header and on listings.
import type { Locator, Page, Route } from "@playwright/test";
import { expectAccessible, expectNoOverflow } from "./a11y";
import { firstProduct, hydrated, isMarked, markWindow } from "./locators";
import { WIDTHS } from "./routes";
import { expect, test } from "./shop";

const field = (page: Page) => page.getByRole("combobox", { name: "Search for" });
const list = (page: Page) => page.getByRole("listbox", { name: "Suggestions" });
const options = (page: Page) => list(page).getByRole("option");
const group = (page: Page, name: string) => list(page).getByRole("group", { name });
const filters = (page: Page) => page.getByRole("complementary", { name: "Filters" });
const chips = (page: Page) => page.getByRole("list", { name: "Filters that are on" });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const total = (page: Page) => page.locator("main p", { hasText: /^[\d,]+ products?$/ });
const products = (page: Page) => page.locator("main li h3");

async function open(page: Page, address: string, width = 1440): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.goto(address);
  await hydrated(page);
  await markWindow(page);
}

// The number of products that an option shows.
async function productCount(choice: Locator): Promise<number> {
  const words = await choice.locator("..").textContent();
  return Number(/(\d+) products?$/.exec(words ?? "")?.[1]);
}

test("a search corrects typing errors, and says how it read the words", async ({ page }) => {
  await open(page, "/");
  await field(page).fill("hedphones");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search\?q=hedphones$/);
  await expect(heading(page)).toHaveText("Results for “hedphones”");
  await expect(firstProduct(page)).toHaveText(/headphones/i);
  await expect(firstProduct(page).locator("mark")).toHaveText(/headphones/i);
  await expect(field(page)).toHaveValue("hedphones");
  await expect(page.getByRole("status")).toHaveText(/^Results for “hedphones”: \d+ products/);
  await page.getByRole("main").getByRole("link", { name: "headphones", exact: true }).click();
  await expect(page).toHaveURL(/\/search\?q=headphones$/);
  await expect(heading(page)).toBeFocused();
  await expect(field(page)).toHaveValue("headphones");
  await page.goBack();
  await expect(field(page)).toHaveValue("hedphones");
  await page.getByRole("link", { name: "Haat", exact: true }).click();
  await expect(field(page)).toHaveValue("");
  expect(await isMarked(page)).toBe(true);
});

test("suggestions by keyboard", async ({ page }) => {
  await open(page, "/");
  await field(page).focus();
  // At once: a pause between two letters would show the suggestions for the first ones.
  await page.keyboard.insertText("lam");
  await expect(options(page).first()).toBeVisible();
  await expect(page.getByRole("status")).toHaveText(/^\d+ suggestions?$/);
  await expect(field(page)).toHaveAttribute("aria-expanded", "true");
  await expect(group(page, "Products").getByRole("option").first().locator("mark")).toBeVisible();
  const active = () => page.locator('[role="option"][aria-selected="true"]');
  await expect(active()).toHaveCount(0);
  const last = (await options(page).count()) - 1;
  for (const [key, place] of [
    ["ArrowDown", 0],
    ["ArrowDown", 1],
    ["End", last],
    ["ArrowDown", 0],
    ["ArrowUp", last],
    ["Home", 0],
  ] as const) {
    await page.keyboard.press(key);
    await expect(options(page).nth(place)).toHaveAttribute("aria-selected", "true");
    await expect(active()).toHaveCount(1);
    const id = await active().getAttribute("id");
    await expect(field(page)).toHaveAttribute("aria-activedescendant", id ?? "");
  }
  await expect(field(page)).toBeFocused();

  await page.keyboard.press("Escape");
  await expect(list(page)).toHaveCount(0);
  await expect(field(page)).toHaveAttribute("aria-expanded", "false");
  await expect(field(page)).toHaveValue("lam");
  await page.keyboard.press("Escape");
  await expect(field(page)).toHaveValue("");

  await page.keyboard.insertText("tarn over");
  const product = group(page, "Products").getByRole("option", { name: "Tarn Over-Ear" });
  await expect(product).toBeVisible();
  while ((await product.getAttribute("aria-selected")) !== "true") {
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/product\/tarn-over-ear-headphones$/);
  await expect(heading(page)).toBeFocused();
  await expect(list(page)).toHaveCount(0);
  expect(await isMarked(page)).toBe(true);
});

test("suggestions by mouse", async ({ page }) => {
  await open(page, "/about");
  await field(page).click();
  await page.keyboard.insertText("desk la");
  const product = group(page, "Products").getByRole("option", { name: "Heron Desk Lamp" });
  await expect(product).toContainText("$129.00");
  await product.click();
  await expect(page).toHaveURL(/\/product\/heron-desk-lamp$/);
  await expect(list(page)).toHaveCount(0);

  await field(page).click();
  await field(page).fill("lam");
  await group(page, "Searches").getByRole("option").first().click();
  await expect(page).toHaveURL(/\/search\?q=/);
  await field(page).fill("light");
  await group(page, "Categories").getByRole("option", { name: "Lighting" }).click();
  await expect(page).toHaveURL(/\/category\/lighting$/);
  await field(page).fill("lamp");
  await expect(list(page)).toBeVisible();
  await page.mouse.click(1400, 600);
  await expect(list(page)).toHaveCount(0);
  expect(await isMarked(page)).toBe(true);
});

test("of two answers the newer one is shown, and the older request is aborted", async ({
  page,
}) => {
  const none = { products: [], categories: [] };
  let late: Route | undefined;
  await page.route("**/api/search/suggestions?*", async (route) => {
    const q = new URL(route.request().url()).searchParams.get("q");
    if (q === "old") late = route;
    else await route.fulfill({ json: { ...none, queries: [`${q}er words`] } });
  });
  await open(page, "/");
  const takenBack = page.waitForEvent("requestfailed", (request) => /q=old$/.test(request.url()));
  await field(page).fill("old");
  await expect.poll(() => late).toBeDefined();
  await field(page).fill("new");
  await expect(options(page)).toHaveText(["newer words"]);
  await takenBack;
  await late?.fulfill({ json: { ...none, queries: ["old words"] } }).catch(() => {});
  await field(page).press("ArrowDown");
  await expect(options(page)).toHaveText(["newer words"]);
});

test("typing sends one request per pause", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname === "/api/search/suggestions") asked.push(url.searchParams.get("q") ?? "");
  });
  await open(page, "/");
  // The code is loaded on focus.
  await field(page).fill("x");
  await expect.poll(() => asked).toEqual(["x"]);
  await field(page).evaluate((input: HTMLInputElement) => {
    for (const text of ["wa", "wal", "waln", "walnut"]) {
      input.value = text;
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
  });
  await expect(options(page).first()).toBeVisible();
  await expect.poll(() => asked).toEqual(["x", "walnut"]);
});

test("the category narrows the suggestions and the search", async ({ page }) => {
  await open(page, "/");
  await page.getByLabel("Search in").selectOption("furniture");
  const asked = page.waitForRequest(/suggestions\?q=oak&category=furniture$/);
  await field(page).fill("oak");
  expect((await (await asked).response())?.status()).toBe(200);
  await field(page).press("Enter");
  await expect(page).toHaveURL(/\/search\?q=oak&category=furniture$/);
  await expect(page.getByLabel("Search in")).toHaveValue("furniture");
  await expect(filters(page).getByRole("radio", { name: /^Furniture/ })).toBeChecked();
  await chips(page).getByRole("link", { name: "Remove In Furniture" }).click();
  await expect(page).toHaveURL(/\/search\?q=oak$/);
  await expect(page.getByLabel("Search in")).toHaveValue("");
});

test("filters apply at once, match their counts, and come back with Back", async ({ page }) => {
  await open(page, "/category/audio");
  const ink = filters(page).getByRole("checkbox", { name: /^Ink / });
  const inStock = filters(page).getByRole("checkbox", { name: /^In stock/ });
  const all = await total(page).textContent();

  const inks = await productCount(ink);
  await ink.check();
  await expect(page).toHaveURL(/\/category\/audio\?colour=Ink$/);
  await expect(total(page)).toHaveText(new RegExp(`^${inks} product`));
  await expect(products(page)).toHaveCount(inks);
  await expect(ink).toBeFocused();
  await expect(page.getByRole("status")).toHaveText(new RegExp(`^Audio: ${inks} product`));

  const left = await productCount(inStock);
  await inStock.focus();
  await page.keyboard.press("Space");
  await expect(page).toHaveURL(/\?colour=Ink&stock=in$/);
  await expect(total(page)).toHaveText(new RegExp(`^${left} product`));
  await expect(inStock).toBeFocused();
  await expect(chips(page).getByRole("link")).toHaveText([
    "Remove Ink",
    "Remove In stock",
    "Clear all",
  ]);

  await filters(page).getByLabel("From").fill("100");
  await page.keyboard.press("Tab");
  await expect(page).toHaveURL(/\?colour=Ink&min=100&stock=in$/);
  await expect(filters(page).getByLabel("To", { exact: true })).toBeFocused();
  await filters(page)
    .getByRole("radio", { name: /^4 stars and up/ })
    .check();
  await expect(page).toHaveURL(/\?colour=Ink&min=100&stock=in&rating=4$/);

  await page.goBack();
  await expect(filters(page).getByRole("radio", { name: "Any rating" })).toBeChecked();
  await page.goBack();
  await expect(filters(page).getByLabel("From")).toHaveValue("");
  await page.goBack();
  await expect(page).toHaveURL(/\?colour=Ink$/);
  await expect(inStock).not.toBeChecked();
  await expect(ink).toBeChecked();
  await chips(page).getByRole("link", { name: "Remove Ink" }).click();
  await expect(page).toHaveURL(/\/category\/audio$/);
  await expect(ink).not.toBeChecked();
  await expect(total(page)).toHaveText(all ?? "");
  expect(await isMarked(page)).toBe(true);
});

test("several brands are combined, and a long list expands", async ({ page }) => {
  await open(page, "/search?q=oak&sort=price-asc&view=list");
  const brands = filters(page).getByRole("group", { name: "Brand" }).getByRole("checkbox");
  const [one, other] = [brands.nth(0), brands.nth(1)];
  const sum = (await productCount(one)) + (await productCount(other));
  await one.check();
  await expect(page).toHaveURL(/\?q=oak&brand=\w+&sort=price-asc&view=list$/);
  await other.check();
  await expect(page).toHaveURL(/\?q=oak&brand=\w+&brand=\w+&sort=price-asc&view=list$/);
  await expect(total(page)).toHaveText(`${sum} products`);
  await chips(page).getByRole("link", { name: "Clear all" }).click();
  await expect(page).toHaveURL(/\/search\?q=oak&sort=price-asc&view=list$/);

  await page.goto("/search");
  await hydrated(page);
  await expect(heading(page)).toHaveText("All products");
  const colours = filters(page).getByRole("group", { name: "Colour" });
  await expect(colours.getByRole("checkbox")).toHaveCount(8);
  await colours.getByText(/^Show all \d+$/).click();
  await expect.poll(() => colours.getByRole("checkbox").count()).toBeGreaterThan(8);
  await colours.getByRole("checkbox").last().check();
  await expect(page).toHaveURL(/\/search\?colour=/);
  await expect(colours.getByRole("checkbox", { checked: true })).toBeVisible();
});

test("options and attributes are filters of their own", async ({ page }) => {
  await open(page, "/category/computers");
  const storage = filters(page).getByRole("group", { name: "Storage" }).getByRole("checkbox");
  const sizes = ["128 GB", "256 GB", "512 GB", "1 TB", "2 TB"];
  await expect(storage).toHaveCount(sizes.length);
  const values = await storage.evaluateAll((boxes: HTMLInputElement[]) =>
    boxes.map((box) => box.value),
  );
  expect(values).toEqual(sizes.map((size) => `Storage:${size}`));
  const terabyte = filters(page).getByRole("checkbox", { name: /^1 TB / });
  const memory = filters(page).getByRole("checkbox", { name: /^32 GB / });
  const terabytes = await productCount(terabyte);
  await terabyte.check();
  await expect(page).toHaveURL(/\/category\/computers\?option=Storage%3A1%20TB$/);
  await expect(total(page)).toHaveText(new RegExp(`^${terabytes} product`));
  await expect(terabyte).toBeFocused();
  const both = await productCount(memory);
  await memory.check();
  await expect(page).toHaveURL(/\?option=Memory%3A32%20GB&option=Storage%3A1%20TB$/);
  await expect(total(page)).toHaveText(new RegExp(`^${both} product`));
  await expect(chips(page).getByRole("link")).toHaveText([
    "Remove Memory: 32 GB",
    "Remove Storage: 1 TB",
    "Clear all",
  ]);
  await page.getByLabel("Sort by").selectOption("price-asc");
  await expect(page).toHaveURL(/\?option=Memory%3A32%20GB&option=Storage%3A1%20TB&sort=price-asc$/);
  await chips(page).getByRole("link", { name: "Remove Memory: 32 GB" }).click();
  await expect(memory).not.toBeChecked();
  await expect(total(page)).toHaveText(new RegExp(`^${terabytes} product`));

  await page.goto("/category/furniture");
  await hydrated(page);
  const oil = filters(page)
    .getByRole("group", { name: "Finish" })
    .getByRole("checkbox", { name: /^Hard-wax oil \d/ });
  const oiled = await productCount(oil);
  await oil.check();
  await expect(page).toHaveURL(/\/category\/furniture\?attribute=Finish%3AHard-wax%20oil$/);
  await expect(total(page)).toHaveText(`${oiled} products`);

  await page.goto("/bn/category/computers?option=Storage:১ টিবি");
  const bangla = page.getByRole("group", { name: "স্টোরেজ" });
  await expect(bangla.getByRole("checkbox", { name: /^১ টিবি/ })).toBeChecked();
  await expect(page.getByText("স্টোরেজ: ১ টিবি")).toBeVisible();
});

test("an option without products is disabled", async ({ page }) => {
  await open(page, "/search?q=lamp&max=100");
  const off = filters(page).locator("input:disabled");
  for (const input of await off.all()) expect(await productCount(input)).toBe(0);
  const on = filters(page).locator("input[type=checkbox]:enabled, input[type=radio]:enabled");
  for (const input of await on.all()) {
    if ((await input.getAttribute("value")) !== "")
      expect(await productCount(input)).toBeGreaterThan(0);
  }
});

test("sorting, size, page and view are in the URL", async ({ page }) => {
  await open(page, "/search?q=lamp");
  await expect(page.getByLabel("Sort by")).toHaveValue("relevance");
  await page.getByLabel("Sort by").selectOption("price-asc");
  await page.getByLabel("Show").selectOption("2");
  await expect(page).toHaveURL(/\?q=lamp&sort=price-asc&size=2$/);
  await page.getByRole("link", { name: "Next page" }).click();
  await expect(page.getByText(/^Page 2 of \d+$/)).toBeVisible();
  await page.getByRole("list", { name: "View" }).getByRole("link", { name: "List" }).click();
  await expect(page).toHaveURL(/\?q=lamp&sort=price-asc&size=2&page=2&view=list$/);
  await expect(page).toHaveTitle(/, page 2 · /);
  const views = page.getByRole("list", { name: "View" });
  await expect(views.getByRole("link", { name: "List" })).toHaveAttribute("aria-current", "true");
  await filters(page)
    .getByRole("checkbox", { name: /^In stock/ })
    .check();
  await expect(page).toHaveURL(/\?q=lamp&stock=in&sort=price-asc&size=2&view=list$/);
  await page.reload();
  await expect(page.getByLabel("Sort by")).toHaveValue("price-asc");
  await expect(products(page)).toHaveCount(2);
});

test("a row of the list view has a summary, and can be bought", async ({ page }) => {
  await open(page, "/category/audio?view=list&stock=in");
  // It comes in one colour, so that there is nothing to choose.
  const row = page.locator("main li:has(h3)", { hasText: "Tarn Studio Wired Headphones" });
  await expect(row.getByText(/\S.{60}/)).toBeVisible();
  await expect(row.getByText(/^In stock/)).toBeVisible();
  await expect(row.getByRole("img", { name: /^Rated/ })).toBeVisible();
  await row.getByRole("button", { name: /^Add to cart/ }).click();
  await expect(page.getByText("Successfully add your item!")).toBeVisible();
  await row.getByRole("button", { name: /wishlist$/ }).click();
  await expect(row.getByRole("button", { name: /wishlist$/ })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await row.getByRole("heading").click();
  await expect(page).toHaveURL(/\/product\//);
});

test("an empty result says what to do next", async ({ page }) => {
  await open(page, "/search?q=zzzzqqq");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "Nothing found" })).toBeVisible();
  await expect(main.getByRole("region", { name: "What others like" })).toContainText("$");
  await expect(main.getByRole("link", { name: "Lighting" })).toBeVisible();
  await main.getByRole("link", { name: "All products" }).click();
  await expect(page).toHaveURL(/\/search$/);

  await page.goto("/category/audio?brand=Nobody&max=1");
  await hydrated(page);
  await expect(main.getByRole("heading", { name: "Nothing fits all of this" })).toBeVisible();
  await expect(chips(page)).toContainText("Nobody");
  await main.getByRole("link", { name: "Clear all filters" }).click();
  await expect(page).toHaveURL(/\/category\/audio$/);
  await expect(firstProduct(page)).toBeVisible();
});

test("prices are filtered and sorted in the currency of the page", async ({
  page,
  context,
  shopUrl,
}) => {
  await context.addCookies([{ name: "currency", value: "BDT", url: shopUrl }]);
  await open(page, "/category/audio?sort=price-asc");
  await markWindow(page);
  const group = filters(page).getByRole("group", { name: "Price (৳)" });
  await expect(group.getByLabel("From")).toHaveAttribute("placeholder", /^\d{4,}$/);
  // $199 are ৳23,979.50, shown as ৳23,980.
  await group.getByLabel("From").fill("23980");
  await page.keyboard.press("Tab");
  await expect(page).toHaveURL(/\?min=23980&sort=price-asc$/);
  await expect(chips(page)).toContainText("From ৳23,980");
  const shown = async () => {
    const texts = await page.locator("main li:has(h3) p", { hasText: /^৳/ }).allTextContents();
    return texts.map((text) => Number(/[\d,]+/.exec(text)?.[0].replaceAll(",", "")));
  };
  await expect.poll(async () => (await shown())[0]).toBe(23_980);
  const prices = await shown();
  expect(prices).toEqual(prices.toSorted((one, other) => one - other));
  await group.getByLabel("From").fill("23981");
  await page.keyboard.press("Tab");
  await expect(page).toHaveURL(/\?min=23981&sort=price-asc$/);
  await expect.poll(async () => (await shown())[0]).toBeGreaterThan(23_980);

  // The amount means something else in another currency.
  await page.getByLabel("Currency").selectOption("USD");
  await expect(page).toHaveURL(/\/category\/audio\?sort=price-asc$/);
  await expect(filters(page).getByRole("group", { name: "Price ($)" })).toBeVisible();
  await expect(filters(page).getByLabel("From")).toHaveValue("");
  await expect(page.getByRole("main")).not.toContainText("৳");
  expect(await isMarked(page)).toBe(true);
});

test("recent searches are remembered here, and can be removed", async ({ page }) => {
  await open(page, "/search?q=walnut");
  await field(page).fill("desk lamp");
  await field(page).press("Enter");
  await expect(heading(page)).toHaveText("Results for “desk lamp”");
  await page.goto("/about");
  await hydrated(page);
  await field(page).click();
  await expect(options(page)).toHaveText(["desk lamp", "walnut"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search\?q=walnut$/);
  await field(page).fill("");
  await expect(options(page)).toHaveText(["walnut", "desk lamp"]);
  await page.getByRole("button", { name: "Forget the search for walnut" }).click();
  await expect(options(page)).toHaveText(["desk lamp"]);
  await expect(field(page)).toBeFocused();
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(list(page)).toHaveCount(0);
});

test("passing the field with the Tab key opens nothing", async ({ page }) => {
  await open(page, "/search?q=walnut");
  await page.goto("/about");
  await hydrated(page);
  await page.getByLabel("Search in").focus();
  await page.keyboard.press("Tab");
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  await expect(list(page)).toHaveCount(0);
  await page.keyboard.press("ArrowDown");
  await expect(options(page)).toHaveText(["walnut"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Delete");
  await expect(list(page)).toHaveCount(0);
});

for (const width of WIDTHS) {
  test(`search overlays fit and are accessible, at ${width} pixels`, async ({ page }) => {
    test.slow();
    await open(page, "/search?q=lamp&brand=Fennholt", width);
    if (width < 1024) {
      await page.getByRole("link", { name: "Filters (1)" }).click();
      const drawer = page.getByRole("dialog", { name: "Filters" });
      await expect(drawer.getByRole("checkbox", { name: /^Fennholt/ })).toBeChecked();
      await expectAccessible(page, "filters");
      await expectNoOverflow(page, "filters");
      await page.keyboard.press("Escape");
      await expect(drawer).toHaveCount(0);
      await expect(page.getByRole("link", { name: "Filters (1)" })).toBeFocused();
    }
    if (width < 768) {
      await page
        .getByRole("navigation", { name: "Shopping" })
        .getByRole("link", { name: "Search" })
        .click();
    }
    await field(page).fill("wa");
    await expect(options(page).first()).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await expectAccessible(page, "suggestions");
    await expectNoOverflow(page, "suggestions");
    await field(page).fill("");
    await expect(options(page)).toHaveText(["lamp"]);
    await expectAccessible(page, "recent searches");
  });
}

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 720 } });

  test("filters are in a drawer, and the list changes behind it", async ({ page }) => {
    await page.goto("/category/audio");
    await hydrated(page);
    await expect(filters(page)).toBeHidden();
    await page.getByRole("link", { name: "Filters", exact: true }).tap();
    const drawer = page.getByRole("dialog", { name: "Filters" });
    const ink = drawer.getByRole("checkbox", { name: /^Ink / });
    const inks = await productCount(ink);
    await drawer.getByText("Ink", { exact: true }).tap();
    await expect(page).toHaveURL(/\?colour=Ink$/);
    await expect(ink).toBeChecked();
    await drawer.getByRole("button", { name: `Show ${inks} product` }).tap();
    await expect(drawer).toHaveCount(0);
    await expect(products(page)).toHaveCount(inks);
    await page.getByRole("link", { name: "Filters (1)" }).tap();
    await drawer.getByRole("link", { name: "Clear all" }).tap();
    await expect(page).toHaveURL(/\/category\/audio$/);
    await expect(ink).not.toBeChecked();
    await page.goBack();
    await expect(drawer).toHaveCount(0);
    await expect(chips(page)).toContainText("Ink");
  });

  test("suggestions open below the field, and close with it", async ({ page }) => {
    await page.goto("/");
    await hydrated(page);
    const tools = page.getByRole("navigation", { name: "Shopping" });
    await tools.getByRole("link", { name: "Search" }).tap();
    await expect(field(page)).toBeFocused();
    await page.keyboard.insertText("lamp");
    await expect(options(page).first()).toBeVisible();
    expect((await list(page).boundingBox())?.width).toBeGreaterThan(320);
    await group(page, "Products").getByRole("option").first().tap();
    await expect(page).toHaveURL(/\/product\//);
    await expect(field(page)).toBeHidden();
    await expect(list(page)).toHaveCount(0);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("search, filters and views are plain forms and links", async ({ page }) => {
    await page.goto("/");
    await page.getByLabel("Search in").selectOption("lighting");
    await field(page).fill("lamp");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page).toHaveURL(/\/search\?category=lighting&q=lamp$/);
    await expect(field(page)).toHaveValue("lamp");
    await expect(page.getByLabel("Search in")).toHaveValue("lighting");
    await filters(page)
      .getByRole("checkbox", { name: /^Brass / })
      .check();
    await filters(page)
      .getByRole("checkbox", { name: /^In stock/ })
      .check();
    await filters(page).getByLabel("To", { exact: true }).fill("400");
    await filters(page).getByRole("button", { name: "Apply filters" }).click();
    await expect(filters(page).getByRole("checkbox", { name: /^Brass / })).toBeChecked();
    await expect(chips(page)).toContainText("Up to $400");
    await page.getByRole("list", { name: "View" }).getByRole("link", { name: "List" }).click();
    await expect(page).toHaveURL(
      /\/search\?q=lamp&category=lighting&colour=Brass&max=400&stock=in&view=list$/,
    );
    await chips(page).getByRole("link", { name: "Remove Brass" }).click();
    await expect(page).toHaveURL(/\?q=lamp&category=lighting&max=400&stock=in&view=list$/);
    await filters(page)
      .getByText(/^Show all \d+$/)
      .first()
      .click();
    await page.setViewportSize({ width: 360, height: 720 });
    await expect(field(page)).toBeVisible();
    await page.getByRole("link", { name: "Filters (3)" }).click();
    await expect(filters(page)).toBeInViewport();
  });

  test("filters by options are plain forms and links", async ({ page }) => {
    await page.goto("/category/computers?sort=price-asc");
    await filters(page)
      .getByRole("checkbox", { name: /^1 TB / })
      .check();
    await filters(page)
      .getByRole("checkbox", { name: /^512 GB / })
      .check();
    await filters(page).getByRole("button", { name: "Apply filters" }).click();
    await expect(filters(page).getByRole("checkbox", { name: /^1 TB / })).toBeChecked();
    await chips(page).getByRole("link", { name: "Remove Storage: 512 GB" }).click();
    await expect(page).toHaveURL(/\?option=Storage%3A1%20TB&sort=price-asc$/);
  });
});
