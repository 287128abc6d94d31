// Variants: what is chosen is what is shown, ordered and named.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { run } from "../sdk/server";
import type { ProductWithVariants } from "../src/lib/api.gen";
import { expectAccessible, expectNoOverflow, smallTargets } from "./a11y";
import { expectBangla } from "./bangla-texts";
import {
  accountId,
  buy,
  expectCompleted,
  fillIn,
  importRow,
  listOrders,
  newCustomer,
  newEmail,
  openCheckout,
  placeOrder,
  product,
  signedIn,
  variant,
} from "./customer";
import { newestEmail } from "./identity";
import { addFromCard, hydrated, option, value } from "./locators";
import { pdfText } from "./pdf";
import { type Cli, expect, openShop, SECRET, test, testIn } from "./shop";

// Two colours of it are photographed, and in stock.
const TARN = "tarn-over-ear-headphones";
const TARN_NAME = "Tarn Over-Ear Headphones";
// In ink, one ruling is sold out, and one does not exist.
const DAYBOOK = "daybook-leather-notebook";
// Prices differ by memory and storage.
const LAPTOP = "harrow-14-laptop";

const main = (page: Page) => page.getByRole("main");
const dialog = (page: Page) => page.getByRole("dialog");
const row = (page: Page, name: string) => page.getByRole("row", { name });
const chosen = (page: Page, text: string) => main(page).getByText(text, { exact: true });
const add = (page: Page) => main(page).getByRole("button", { name: "Add to cart" }).first();
const sku = (page: Page) => main(page).locator("dl").first().getByRole("definition").last();
const cartIcon = (page: Page) =>
  page.getByRole("navigation", { name: "Shopping" }).getByRole("link", { name: /^Cart/ });

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
}

// Requests for the data of a page.
function dataRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const path = new URL(request.url()).pathname;
    const data = request.headers().accept === "application/json";
    if (data && path.startsWith("/product/")) asked.push(request.url());
  });
  return asked;
}

async function importProducts(cli: Cli, ...products: object[]): Promise<void> {
  const file = join(mkdtempSync(join(tmpdir(), "haat-variants-")), "catalog.json");
  writeFileSync(file, JSON.stringify({ categories: [], products }));
  await cli("import", file, "--stock-at", "now");
}

test("two colours are two lines, and named in every place that follows", {
  tag: "@database",
}, async ({ page, cli }) => {
  test.slow();
  const email = await signedIn(page, `/product/${TARN}`);
  const places = [];
  for (const colour of ["Ink", "Moss"]) {
    await value(main(page), colour).click();
    await add(page).click();
    places.push(await variant(page.request, TARN, colour));
  }
  await expect(cartIcon(page)).toHaveAccessibleName("Cart, 2 items");
  await cartIcon(page).click();
  await expect(dialog(page).getByText("Colour: Ink", { exact: true })).toBeVisible();
  await expect(dialog(page).getByText("Colour: Moss", { exact: true })).toBeVisible();
  await dialog(page).getByRole("link", { name: "View Cart" }).click();
  for (const { _id, options } of places) {
    const named = `${TARN_NAME} (${options.Colour})`;
    const line = row(page, `Colour: ${options.Colour}`);
    await expect(line.getByRole("link", { name: TARN_NAME })).toHaveAttribute(
      "href",
      `/product/${TARN}?variant=${_id}`,
    );
    await expect(page.getByLabel(`Quantity of ${named}`)).toHaveValue("1");
    await expect(line.getByRole("button", { name: `Remove ${named}` }).last()).toBeVisible();
  }
  await row(page, "Colour: Ink").getByRole("link", { name: TARN_NAME }).click();
  await expect(page).toHaveURL(new RegExp(`/product/${TARN}\\?colour=Ink$`));
  await expect(chosen(page, "Colour: Ink")).toBeVisible();

  await openCheckout(page);
  const summary = page.getByRole("region", { name: "Your order" });
  await expect(summary.getByText("Colour: Ink", { exact: true })).toBeVisible();
  await expect(summary.getByText("Colour: Moss", { exact: true })).toBeVisible();
  await fillIn(page);
  await placeOrder(page).click();
  const number = await expectCompleted(page);
  const ordered = page.getByRole("list", { name: "What you ordered" });
  await expect(ordered.getByText("Colour: Ink", { exact: true })).toBeVisible();
  await expect(ordered.getByText("Colour: Moss", { exact: true })).toBeVisible();

  const [order] = await listOrders(page);
  expect(order?.lines).toMatchObject(
    places.map(({ _id, options, sku }) => ({ _id, product: TARN, options, sku, qtn: 1 })),
  );
  const written = await newestEmail(page, email, `Your order ${number}`);
  const printed = await cli("orders", "show", number);
  for (const text of [written, printed]) {
    expect(text).toMatch(/\bInk\b/);
    expect(text).toMatch(/\bMoss\b/);
  }

  await open(page, `/account/orders/${number}`);
  const bought = page.getByRole("region", { name: "What you bought" });
  await expect(bought.getByText("Colour: Ink", { exact: true })).toBeVisible();
  await expect(bought.getByText("Colour: Moss", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Invoice" }).click();
  const invoice = page.getByRole("article", { name: `Pro forma invoice ${number}` });
  const saved = page.waitForEvent("download");
  await dialog(page).getByRole("button", { name: "Download" }).click();
  const paper = await pdfText(await (await saved).path());
  for (const { sku, options } of places) {
    await expect(row(page, sku)).toContainText(options.Colour ?? "");
    await expect(invoice).toContainText(sku);
    expect(paper).toContain(options.Colour ?? "");
    expect(paper).toContain(sku);
  }
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Buy again" }).click();
  await expect(page.getByText("2 items are in your cart.")).toBeVisible();
});

test("a choice changes price, stock, SKU, picture and address at once", async ({ page }) => {
  await open(page, `/product/${LAPTOP}`);
  await page.waitForLoadState("networkidle");
  const asked = dataRequests(page);
  await expect(main(page).getByText("$1,149.00").first()).toBeVisible();
  await value(main(page), "1 TB").click();
  await expect(page).toHaveURL(/\?colour=Silver&memory=16%20GB&storage=1%20TB$/);
  await expect(main(page).getByText("$1,289.00").first()).toBeVisible();
  await expect(main(page).getByText(/^You save \$151\.00/)).toBeVisible();
  await expect(sku(page)).toHaveText("HT-COM-001-16-1T");
  await expect(main(page).getByText(/only 3 left/)).toBeVisible();
  await expect(page.locator("#announcer")).toHaveText("Silver, 16 GB, 1 TB: $1,289.00");
  await expect(value(main(page), "1 TB")).toBeFocused();
  await expect(value(main(page), "1 TB")).toHaveAttribute("aria-current", "true");
  await expect(value(main(page), "512 GB")).not.toHaveAttribute("aria-current");

  await open(page, `/product/${TARN}`);
  await page.waitForLoadState("networkidle");
  asked.length = 0;
  const { qtn, sku: mossSku } = await variant(page.request, TARN, "Moss");
  await value(main(page), "Moss").click();
  await expect(sku(page)).toHaveText(mossSku);
  await expect(page.getByRole("img", { name: /headphones in moss/ })).toBeInViewport();
  await page.getByLabel(`Quantity of ${TARN_NAME} (Moss)`).fill("100");
  await expect(page.getByText(`Only ${qtn} in stock.`)).toBeVisible();
  expect(asked).toEqual([]);
});

test("an address restores its choice, and so do a reload, Back and the language", async ({
  page,
}) => {
  await open(page, `/product/${DAYBOOK}?ruling=Ruled&colour=Bottle%20Green`);
  await expect(chosen(page, "Colour: Bottle Green")).toBeVisible();
  await expect(chosen(page, "Ruling: Ruled")).toBeVisible();
  await expect(sku(page)).toHaveText("HT-ACC-006-BOT-RUL");
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute(
    "href",
    new RegExp(`/product/${DAYBOOK}$`),
  );
  await value(main(page), "Dotted").click();
  await expect(page).toHaveURL(/\?colour=Bottle%20Green&ruling=Dotted$/);
  await page.reload();
  await hydrated(page);
  await expect(sku(page)).toHaveText("HT-ACC-006-BOT");
  await value(main(page), "Tan").click();
  await expect(sku(page)).toHaveText("HT-ACC-006");
  await page.getByRole("region", { name: "Related products" }).getByRole("link").first().click();
  await expect(page).not.toHaveURL(new RegExp(DAYBOOK));
  await page.goBack();
  await expect(page).toHaveURL(/\?colour=Tan&ruling=Dotted$/);
  await expect(chosen(page, "Colour: Tan")).toBeVisible();
  await expect(sku(page)).toHaveText("HT-ACC-006");

  const { _id } = await variant(page.request, DAYBOOK, "Ink");
  await open(page, `/product/${DAYBOOK}?variant=${_id}`);
  await expect(chosen(page, "Colour: Ink")).toBeVisible();
  await page.locator("header").getByRole("link", { name: "বাংলা" }).first().click();
  await expect(page).toHaveURL(/\/bn\/product\//);
  await expect(chosen(page, "রং: কালি নীল")).toBeVisible();
});

test("what is sold out or does not exist is explained, and cannot be added", async ({ page }) => {
  test.slow();
  await open(page, `/product/${DAYBOOK}?colour=Ink&ruling=Dotted`);
  const rulings = option(main(page), "Ruling").getByRole("link");
  await expect(rulings).toHaveText(["Dotted", /^Ruled/, /^Plain/]);
  await expect(rulings.nth(1)).toHaveAccessibleName("Ruled (out of stock)");
  await expect(rulings.nth(2)).toHaveAccessibleName("Plain (not available with this choice)");

  const look = async (what: string) => {
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoOverflow(page, `${what} at ${width}`);
      if (width === 360) expect(await smallTargets(page), what).toEqual([]);
    }
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `${what}, ${colorScheme}`);
    }
  };

  await rulings.nth(1).click();
  await expect(page.locator("#announcer")).toHaveText("Ink, Ruled: Out of stock");
  await expect(main(page).getByRole("button", { name: "Out of stock" })).toBeDisabled();
  const alert = page.getByRole("region", { name: "Tell me when it is back" });
  await alert.getByLabel("E-mail address").fill(newEmail());
  const sent = page.waitForRequest("**/api/stock-alerts");
  await alert.getByRole("button", { name: "Tell me" }).click();
  const { variants } = await product(page.request, DAYBOOK);
  const ruled = variants.find(({ sku }) => sku === "HT-ACC-006-INK-RUL");
  expect((await sent).postDataJSON()).toMatchObject({ product: ruled?._id });
  await look("a variant that is sold out");

  await rulings.nth(2).click();
  await expect(main(page).getByText("This combination is not available.")).toBeVisible();
  await expect(main(page).getByRole("button", { name: "Not available" })).toBeDisabled();
  await expect(alert).toHaveCount(0);
  await expect(main(page).getByText("SKU")).toHaveCount(0);
  await look("a variant that does not exist");
  // Any other value can be chosen from there.
  await value(main(page), "Tan").click();
  await expect(add(page)).toBeEnabled();
});

test("a card asks what to add, and the cart names it", async ({ page }) => {
  await open(page, "/category/lighting");
  const lamp = page.locator("main li:has(h3)", { hasText: "Chanterelle" });
  await addFromCard(page, lamp, "Chalk");
  await expect(cartIcon(page)).toHaveAccessibleName("Cart, 1 item");
  const ask = lamp.getByRole("button", { name: /^Choose options for Chanterelle/ });
  await expect(ask).toBeFocused();
  await page.keyboard.press("Enter");
  const moss = option(dialog(page), "Colour").getByRole("link", { name: /^Moss/ });
  await expect(moss).toHaveAccessibleName("Moss (out of stock)");
  await moss.click();
  await expect(dialog(page).getByRole("button", { name: "Out of stock" })).toBeDisabled();
  await expectAccessible(page, "the quick view");
  await value(dialog(page), "Clay").click();
  await dialog(page).getByRole("link", { name: "View product" }).click();
  await expect(page).toHaveURL(/\?colour=Clay$/);
  await expect(chosen(page, "Colour: Clay")).toBeVisible();
  await cartIcon(page).click();
  await expect(dialog(page).getByText("Colour: Chalk", { exact: true })).toBeVisible();
});

test("a card says from which price on", async ({ page }) => {
  const { priceFrom } = await product(page.request, LAPTOP);
  await open(page, "/category/computers");
  const card = page.locator("main li:has(h3)", { hasText: "Harrow 14 Laptop" });
  await expect(card).toContainText(`From $${priceFrom?.toLocaleString("en")}`);
});

test("a wishlist names the variant, and moves it to the cart", async ({ page }) => {
  await open(page, `/product/${TARN}?colour=Moss`);
  const heart = (colour: string) =>
    page.getByRole("button", { name: `Add ${TARN_NAME} (${colour}) to the wishlist` }).first();
  await heart("Moss").click();
  await expect(heart("Moss")).toHaveAttribute("aria-pressed", "true");
  await value(main(page), "Sand").click();
  await expect(heart("Sand")).toHaveAttribute("aria-pressed", "false");

  await open(page, "/wishlist");
  const card = page.locator("main li:has(h3)", { hasText: TARN_NAME });
  await expect(card.getByText("Colour: Moss", { exact: true })).toBeVisible();
  await expect(card.getByRole("img", { name: /headphones in moss/ })).toBeVisible();
  const { _id } = await variant(page.request, TARN, "Moss");
  await expect(card.locator("h3 a")).toHaveAttribute("href", `/product/${TARN}?variant=${_id}`);
  await card.getByRole("button", { name: /^Move to cart.*\(Moss\)$/ }).click();
  await cartIcon(page).click();
  await expect(dialog(page).getByText("Colour: Moss", { exact: true })).toBeVisible();
});

test("a review says what was bought", async ({ page, cli }) => {
  // No other test reviews it.
  const reviewed = "rook-pour-over-coffee-maker";
  const token = await newCustomer(page, newEmail(), "Nila");
  await cli("credit", "grant", accountId(token), "1000", "--reason", "A gift");
  const { _id } = await variant(page.request, reviewed, "Beech");
  await buy(page, token, { [_id]: 1 }, "all");
  const answer = await page.request.put(`/api/products/${reviewed}/reviews/mine`, {
    headers: { authorization: `Bearer ${token}` },
    data: { rating: 5, title: "Pale and calm", body: "It looks well beside the kettle." },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  await expect(async () => {
    await page.goto(`/product/${reviewed}#reviews`);
    const review = page.getByRole("article", { name: /^Pale and calm, by/ });
    await expect(review).toContainText("Bought: Beech", { timeout: 5_000 });
  }).toPass();
});

test("a back-ordered variant is sold, with the date from which it is sent", async ({
  page,
  cli,
}) => {
  const id = "wick-candlesticks-set-of-three";
  const before = await product(page.request, id);
  const steel = before.variants.findIndex(({ options }) => options.Colour === "Blackened Steel");
  const changed = importRow(before);
  const variants = changed.variants.map((one, at) =>
    at === steel ? { ...one, qtn: 0, backOrder: "2030-12-24T00:00:00Z" } : one,
  );
  await importProducts(cli, { ...changed, variants });
  await expect(async () => {
    await page.goto(`/product/${id}?colour=Blackened%20Steel`);
    const promise = main(page).getByText("Back-ordered: ships from 24 December 2030");
    await expect(promise).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await hydrated(page);
  const data = await page.locator("script[type='application/ld+json']").allTextContents();
  expect(data.join()).toContain("https://schema.org/BackOrder");
  await page.getByLabel(/^Quantity of .* \(Blackened Steel\)$/).fill("3");
  await add(page).click();
  await expect(cartIcon(page)).toHaveAccessibleName("Cart, 3 items");
  await open(page, "/cart");
  await expect(row(page, "Blackened Steel")).toContainText("Ships from 24 December 2030.");
  await importProducts(cli, {
    ...changed,
    variants: changed.variants.map((one) => ({ ...one, backOrder: null })),
  });
});

test("a product in Bangla has its options in Bangla", async ({ page }) => {
  await open(page, `/bn/product/${DAYBOOK}?colour=Ink&ruling=Dotted`);
  const colours = option(main(page), "রং").getByRole("link");
  await expect(colours).toHaveText(["ট্যান", "বোতল সবুজ", "কালি নীল"]);
  await colours.first().click();
  await expect(page).toHaveURL(/\?colour=Tan&ruling=Dotted$/);
  await expect(chosen(page, "রং: ট্যান")).toBeVisible();
  await expectBangla(page, "a product with options");
});

test("structured data has every variant", async ({ page }) => {
  await page.goto(`/product/${DAYBOOK}`);
  const blocks = await page.locator("script[type='application/ld+json']").allTextContents();
  const group = blocks.map((text) => JSON.parse(text)).find((one) => one.hasVariant);
  const { variants } = await product(page.request, DAYBOOK);
  expect(group).toMatchObject({ "@type": "ProductGroup", productGroupID: DAYBOOK });
  expect(group.variesBy).toEqual(["https://schema.org/color"]);
  expect(group.hasVariant.map((one: { sku: string }) => one.sku)).toEqual(
    variants.map(({ sku }) => sku),
  );
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("options are links to the product in another choice", async ({ page }) => {
    await page.goto(`/product/${TARN}`);
    await value(main(page), "Moss").click();
    await expect(page).toHaveURL(new RegExp(`/product/${TARN}\\?colour=Moss$`));
    await expect(chosen(page, "Colour: Moss")).toBeVisible();
    await expect(sku(page)).toHaveText("HT-AUD-001-MOSS");
    await expect(page.getByRole("img", { name: /headphones in moss/ })).toBeInViewport();
    await page.goto(`/product/${DAYBOOK}?colour=Ink&ruling=Plain`);
    await expect(main(page).getByText("This combination is not available.")).toBeVisible();
  });
});

// 2,047 variants, some of which are sold out: every combination but one.
const MANY = "many-ways";
const PLACES = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) => `${name} ${at + 1}`);
const [FINISHES, WIDTHS, HEIGHTS] = [
  PLACES(8, "Finish"),
  PLACES(16, "Width"),
  PLACES(16, "Height"),
] as const;

function manyWays({ category, img }: ProductWithVariants): object {
  const all = FINISHES.flatMap((Finish, finish) =>
    WIDTHS.flatMap((Width, width) =>
      HEIGHTS.map((Height, height) => ({
        options: { Finish, Width, Height },
        sku: `MW-${finish + 1}-${width + 1}-${height + 1}`,
        qtn: (finish + width + height) % 5,
        realPrice: 10 + height,
      })),
    ),
  );
  const options = [
    { name: "Finish", values: FINISHES },
    { name: "Width", values: WIDTHS },
    { name: "Height", values: HEIGHTS },
  ];
  return {
    ...{ _id: MANY, category, name: "Many Ways", sku: "MW", img, realPrice: 10 },
    fullDescription: "A shelf to measure.",
    options,
    variants: all.filter(({ sku }) => sku !== "MW-8-4-8"),
  };
}

const testMany = testIn(async () => {
  const shop = await openShop();
  const answer = await fetch(`${shop.url}/api/products/kist-teapot`);
  const file = join(mkdtempSync(join(tmpdir(), "haat-many-")), "catalog.json");
  const products = [manyWays((await answer.json()) as ProductWithVariants)];
  writeFileSync(file, JSON.stringify({ categories: [], products }));
  await run("import", file, "--data-dir", shop.folder, "--secret", SECRET.HAAT_SECRET);
  return shop;
});

testMany("a product with 2,047 variants loads those around each choice", async ({ page }) => {
  testMany.slow();
  await expect(async () => {
    const answer = await page.goto(`/product/${MANY}?finish=Finish%201&width=Width%202`);
    expect(answer?.status()).toBe(200);
  }).toPass();
  await hydrated(page);
  const asked = dataRequests(page);
  await value(main(page), "Width 4").click();
  await expect(chosen(page, "Width: Width 4")).toBeVisible();
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  // Two options further from the first choice than its variants reached.
  await option(main(page), "Height")
    .getByRole("link", { name: /^Height 8\b/ })
    .click();
  await option(main(page), "Finish")
    .getByRole("link", { name: /^Finish 3\b/ })
    .click();
  await expect(sku(page)).toHaveText("MW-3-4-8");
  await expect(page).toHaveURL(/\?finish=Finish%203&width=Width%204&height=Height%208$/);
  await expect(main(page).getByText("$17.00").first()).toBeVisible();
  await expect(add(page)).toBeEnabled();
  await page.reload();
  await hydrated(page);
  await expect(sku(page)).toHaveText("MW-3-4-8");
  // The combination that is missing.
  await option(main(page), "Finish")
    .getByRole("link", { name: /^Finish 8\b/ })
    .click();
  await expect(main(page).getByText("This combination is not available.")).toBeVisible();
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNoOverflow(page, "many variants");
  await expectAccessible(page, "many variants");
});
