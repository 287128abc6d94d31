// The cart: every way to add to it, and its notes.
import type { Page } from "@playwright/test";
import type { Quote } from "../src/lib/api.gen";
import { variant } from "./customer";
import { addFromCard, holdRequests, hydrated } from "./locators";
import { expect, test, withMotion } from "./shop";

test.use(withMotion);

const HEADPHONES = "/product/tarn-over-ear-headphones";
const ADDED = "Successfully add your item!";

const cartIcon = (page: Page) =>
  page.getByRole("navigation", { name: "Shopping" }).getByRole("link", { name: /^Cart/ });
const wishIcon = (page: Page) =>
  page.getByRole("navigation", { name: "Shopping" }).getByRole("link", { name: /^Wishlist/ });
const dialog = (page: Page) => page.getByRole("dialog");
const card = (page: Page, name: string) =>
  page.locator("main li:has(h3)", { hasText: name }).first();
const row = (page: Page, name: string) => page.getByRole("row", { name });
const amount = (page: Page, name: string) =>
  page.getByRole("region", { name: "Cart Total" }).locator("div", { hasText: name }).locator("dd");

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
}

async function addFromProduct(page: Page, address: string): Promise<void> {
  await open(page, address);
  await page.getByRole("button", { name: "Add to cart" }).first().click();
  await expect(page.getByText(ADDED)).toBeVisible();
}

test("a toast is shown for its full time, however late its code loads", async ({ page }) => {
  await page.clock.install();
  const release = await holdRequests(page, "**/assets/toast-stack-*.js");
  await open(page, HEADPHONES);
  await page.getByRole("button", { name: "Add to cart" }).first().click();
  await expect(cartIcon(page)).toHaveAccessibleName("Cart, 1 item");
  await page.clock.fastForward(10_000);
  await release();
  // And not fading out.
  await expect(page.locator("[data-out=false]", { hasText: ADDED })).toBeVisible();
  await page.clock.fastForward(10_000);
  await expect(page.getByText(ADDED)).toHaveCount(0);
});

test("a card, the quick view and the product page add to one cart", async ({ page }) => {
  await open(page, "/category/audio");
  await expect(cartIcon(page)).toHaveAccessibleName("Cart");
  await addFromCard(page, card(page, "Tarn Studio Wired Headphones"));
  const toast = page.getByText(ADDED);
  await expect(toast).toBeVisible();
  const place = await toast.boundingBox();
  expect(place?.x).toBeLessThan(200);
  await expect(cartIcon(page)).toHaveAccessibleName("Cart, 1 item");

  const tarn = card(page, "Tarn Over-Ear Headphones");
  await tarn.hover();
  await tarn.getByRole("button", { name: /^Quick view/ }).click();
  await expect(dialog(page)).toHaveAccessibleName("Tarn Over-Ear Headphones");
  await expect(dialog(page).getByText("In stock")).toBeVisible();
  await dialog(page)
    .getByRole("button", { name: /^One more/ })
    .click();
  await dialog(page).getByRole("button", { name: "Add to cart" }).click();
  await dialog(page).getByRole("link", { name: "View product" }).click();
  await expect(page).toHaveURL(new RegExp(`${HEADPHONES}$`));
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(cartIcon(page)).toHaveAccessibleName("Cart, 3 items");

  await page.getByLabel("Quantity of Tarn Over-Ear Headphones").fill("4");
  await page.getByRole("button", { name: "Add to cart" }).first().click();
  await expect(cartIcon(page)).toHaveAccessibleName("Cart, 7 items");
  const kept = await page.evaluate(() => localStorage.getItem("haat.cart"));
  expect(JSON.parse(kept ?? "")).toEqual({
    version: 1,
    value: [
      {
        _id: "tarn-studio-wired-headphones",
        product: "tarn-studio-wired-headphones",
        name: "Tarn Studio Wired Headphones",
        img: [expect.any(String)],
        options: {},
        buyPrice: 169,
        currency: "USD",
        qtn: 1,
      },
      {
        _id: "tarn-over-ear-headphones",
        product: "tarn-over-ear-headphones",
        name: "Tarn Over-Ear Headphones",
        img: [expect.any(String)],
        options: { Colour: "Sand" },
        buyPrice: 199,
        currency: "USD",
        qtn: 6,
      },
    ],
  });
});

test("the empty panel says so, and focus returns", async ({ page }) => {
  await open(page, "/");
  await cartIcon(page).click();
  await expect(dialog(page).getByText("Your cart is empty")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(cartIcon(page)).toBeFocused();
});

test("the panel changes quantities, removes lines and links to the cart and checkout", async ({
  page,
}) => {
  await addFromProduct(page, HEADPHONES);
  await cartIcon(page).click();
  await expect(dialog(page).getByText("1 × $199.00")).toBeVisible();
  await dialog(page)
    .getByRole("button", { name: /^One more/ })
    .click();
  await expect(dialog(page).getByText("2 × $199.00")).toBeVisible();
  await expect(dialog(page).getByText("$398.00")).toBeVisible();
  await dialog(page)
    .getByRole("button", { name: /^One less/ })
    .click();
  await expect(dialog(page).getByText("1 × $199.00")).toBeVisible();
  await expect(dialog(page).getByRole("link", { name: "Checkout" })).toHaveAttribute(
    "href",
    "/cart?step=checkout",
  );
  await dialog(page).getByRole("link", { name: "View Cart" }).click();
  await expect(page).toHaveURL(/\/cart$/);
  await expect(page.getByRole("heading", { level: 1, name: "Shopping Cart" })).toBeFocused();
  await page.goBack();
  await cartIcon(page).click();
  // Minus at one removes the line.
  await dialog(page)
    .getByRole("button", { name: /^Remove/ })
    .first()
    .click();
  await expect(dialog(page).getByText("Your cart is empty")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(cartIcon(page)).toHaveAccessibleName("Cart");
});

test("the cart page shows the server's amounts", async ({ page }) => {
  await open(page, "/cart");
  await expect(page.getByText("Your carts is empty")).toBeVisible();
  await addFromProduct(page, HEADPHONES);
  await addFromProduct(page, "/product/quern-pepper-mill");
  await open(page, "/cart");
  const steps = page.getByRole("list", { name: "Steps" }).getByRole("listitem");
  await expect(steps).toHaveText(["Shopping Cart", "Check Out", "Order Completed"]);
  await expect(page.locator("[aria-current=step]")).toHaveText("Shopping Cart");
  await expect(page.locator("main [aria-disabled=true]")).toHaveCount(2);
  await expect(amount(page, "Sub Total")).toHaveText("$245.00");
  await expect(amount(page, "Shipping")).toHaveText("$40.00");
  await expect(amount(page, "Total").last()).toHaveText("$285.00");

  const quantity = page.getByLabel("Quantity of Tarn Over-Ear Headphones");
  await expect(quantity).toHaveAttribute("aria-valuemin", "1");
  await expect(quantity).toHaveAttribute("aria-valuemax", "100");
  await quantity.fill("২");
  await expect(amount(page, "Sub Total")).toHaveText("$444.00");
  await quantity.press("ArrowUp");
  await expect(quantity).toHaveValue("3");
  await expect(amount(page, "Sub Total")).toHaveText("$643.00");
  await expect(row(page, "Tarn")).toContainText("$597.00");
  // A number above the stock becomes the stock.
  const { qtn: stock } = await variant(page.request, "tarn-over-ear-headphones");
  await quantity.fill("99");
  await quantity.blur();
  await expect(quantity).toHaveValue(String(stock));

  await row(page, "Tarn")
    .getByRole("button", { name: /^Remove/ })
    .click();
  await expect(amount(page, "Sub Total")).toHaveText("$46.00");
  await row(page, "Quern")
    .getByRole("button", { name: /^Remove/ })
    .last()
    .click();
  await expect(page.getByText("Your carts is empty")).toBeVisible();
  await page.getByRole("link", { name: "Continue Shopping" }).click();
  await expect(page).toHaveURL(/\/$/);
});

test("in taka, three cost three times the shown price", async ({ page }) => {
  await addFromProduct(page, HEADPHONES);
  await open(page, "/cart");
  const tarn = row(page, "Tarn Over-Ear Headphones");
  await expect(tarn).toContainText("$199.00");
  await page.getByLabel("Currency").selectOption("BDT");
  await expect(amount(page, "Shipping")).toHaveText("৳4,820");
  await expect(page.locator("main")).not.toContainText("$");
  const quantity = page.getByLabel("Quantity of Tarn Over-Ear Headphones");
  await quantity.fill("3");
  // $199 are ৳23,979.50, rounded up; three times $199 would be ৳71,939.
  await expect(tarn).toContainText("৳23,980");
  await expect(tarn).toContainText("৳71,940");
  await expect(amount(page, "Sub Total")).toHaveText("৳71,940");
  await expect(amount(page, "Total").last()).toHaveText("৳76,760");
  await expect(page.getByText("The price has changed")).toHaveCount(0);
  await expect(page.getByText("Vat is added at the next step: ৳14,460")).toBeVisible();

  await page.reload();
  await hydrated(page);
  await expect(amount(page, "Total").last()).toHaveText("৳76,760");
  await page.getByLabel("Currency").selectOption("USD");
  await expect(amount(page, "Total").last()).toHaveText("$637.00");
  await expect(tarn).toContainText("$597.00");
  await expect(page.locator("main")).not.toContainText("৳");
});

test("changes since adding are noted on their line", async ({ page }) => {
  await page.addInitScript(() => {
    const line = { name: "From last week", img: ["/favicon.svg"], buyPrice: 1 };
    const value = [
      { ...line, _id: "quern-pepper-mill", qtn: 9 },
      { ...line, _id: "skerry-turntable", qtn: 1 },
      { ...line, _id: "never-heard-of", qtn: 2 },
      { damaged: true },
    ];
    localStorage.setItem("haat.cart", JSON.stringify({ version: 1, value }));
  });
  await open(page, "/cart");
  const mill = row(page, "Quern Pepper Mill");
  await expect(mill).toContainText("Only 4 left in stock, so the quantity was lowered.");
  await expect(mill).toContainText("The price has changed from $1.00 to $46.00.");
  await expect(page.getByText("No longer to be had. It is not counted.")).toHaveCount(2);
  await expect(amount(page, "Sub Total")).toHaveText("$184.00");
  await expect(page.getByRole("row")).toHaveCount(4);
});

test.describe("when the total does not load", () => {
  test.use({ allowedErrors: [/net::ERR_FAILED/] });

  test("that is reported, with a retry", async ({ page }) => {
    await addFromProduct(page, HEADPHONES);
    await page.route("**/api/quote", (route) => route.abort());
    await open(page, "/cart");
    await expect(page.getByRole("alert")).toContainText("could not be worked out");
    await page.unroute("**/api/quote");
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(amount(page, "Sub Total")).toHaveText("$199.00");
  });
});

test("a reload keeps the cart, and another tab follows", async ({ page, context }) => {
  await addFromProduct(page, HEADPHONES);
  await page.reload();
  await expect(cartIcon(page)).toHaveAccessibleName("Cart, 1 item");
  const other = await context.newPage();
  await other.goto(new URL("/cart", page.url()).href);
  await hydrated(other);
  await expect(other.getByLabel("Quantity of Tarn Over-Ear Headphones")).toHaveValue("1");
  await page.getByRole("button", { name: "Add to cart" }).first().click();
  await expect(other.getByLabel("Quantity of Tarn Over-Ear Headphones")).toHaveValue("2");
  await expect(other.getByRole("region", { name: "Cart Total" })).toContainText("$398.00");
  await other
    .getByRole("row", { name: "Tarn" })
    .getByRole("button", { name: /^Remove/ })
    .click();
  await expect(cartIcon(page)).toHaveAccessibleName("Cart");
});

test("a quantity above the stock is lowered with a message", async ({ page }) => {
  const id = "tarn-over-ear-headphones";
  const { qtn: stock } = await variant(page.request, id);
  await open(page, HEADPHONES);
  const wanted = page.getByLabel("Quantity of Tarn Over-Ear Headphones");
  await wanted.fill(String(stock + 1));
  await expect(page.getByText(`Only ${stock} in stock.`)).toBeVisible();
  const add = page.getByRole("button", { name: "Add to cart" }).first();
  await add.click();
  await expect(wanted).toHaveValue(String(stock));
  await expect(cartIcon(page)).toHaveAccessibleName(`Cart, ${stock} items`);
  await add.click();
  await expect(page.getByText(`There are only ${stock}, and they are in your cart.`)).toBeVisible();

  // Some of the quantity fits.
  await page.evaluate((qtn) => {
    const kept = JSON.parse(localStorage.getItem("haat.cart") ?? "");
    kept.value[0].qtn = qtn;
    localStorage.setItem("haat.cart", JSON.stringify(kept));
  }, stock - 1);
  await open(page, HEADPHONES);
  await page.waitForLoadState("networkidle");
  await wanted.fill("2");
  await add.click();
  await expect(page.getByText(/^1 of 2 added\. There are only/)).toBeVisible();
});

test("a sale that ends while the cart is open changes the price there", async ({ page }) => {
  await addFromProduct(page, HEADPHONES);
  let asked = 0;
  await page.route("**/api/quote", async (route) => {
    const response = await route.fetch();
    if (++asked > 1) return route.fulfill({ response });
    // On sale for another second.
    const quote = (await response.json()) as Quote;
    const lines = quote.lines.map((line) => ({ ...line, buyPrice: 150 }));
    const changesAt = new Date(Date.parse(quote.now) + 1_000).toISOString();
    await route.fulfill({ response, json: { ...quote, lines, subTotal: 150, changesAt } });
  });
  await open(page, "/cart");
  await expect(row(page, "Tarn").getByText("$150.00").first()).toBeVisible();
  await expect(page.getByText("The price has changed from $150.00 to $199.00.")).toBeVisible();
  await expect(amount(page, "Sub Total")).toHaveText("$199.00");
});

test("the checkout needs a sign-in, and comes back to the cart", async ({ page }) => {
  await addFromProduct(page, HEADPHONES);
  await open(page, "/cart");
  await page.getByRole("link", { name: "To Continue Please Login first" }).click();
  await expect(page).toHaveURL(/\/login\?from=%2Fcart%3Fstep%3Dcheckout$/);
});

test("a product that is out of stock cannot be bought, and says so", async ({ page }) => {
  await open(page, "/product/skerry-turntable");
  const buy = page.getByRole("main").getByRole("button", { name: "Out of stock" });
  await expect(buy).toBeDisabled();
  await open(page, "/category/audio");
  const turntable = card(page, "Skerry Turntable");
  await turntable.hover();
  await expect(turntable.getByText("Out of stock")).toBeVisible();
  await expect(turntable.getByRole("button", { name: /is out of stock$/ })).toBeDisabled();
});

test("wishlist items are added, shown and removed", async ({ page }) => {
  await open(page, "/wishlist");
  await expect(page.getByText("Nothing wished for yet")).toBeVisible();
  await open(page, "/category/audio");
  for (const name of ["Tarn Over-Ear Headphones", "Skerry Turntable"]) {
    await card(page, name).hover();
    await card(page, name)
      .getByRole("button", { name: /wishlist$/ })
      .click();
  }
  await expect(wishIcon(page)).toHaveAccessibleName("Wishlist, 2 items");
  await page.reload();
  await wishIcon(page).click();
  await expect(page).toHaveURL(/\/wishlist$/);
  await expect(page.locator("main li h3")).toHaveText([
    "Skerry Turntable",
    "Tarn Over-Ear Headphones",
  ]);
  const heart = card(page, "Skerry Turntable").getByRole("button", { name: /wishlist$/ });
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await heart.click();
  await expect(page.locator("main li h3")).toHaveCount(1);
});

test("a product's tabs work by keyboard, and viewed products are remembered", async ({ page }) => {
  await open(page, "/product/skerry-turntable");
  await open(page, HEADPHONES);
  await expect(page.getByRole("tabpanel", { name: "Description" })).toBeVisible();
  await page.getByRole("tab", { name: "Description" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tabpanel", { name: "Information" })).toContainText("Bluetooth");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tabpanel", { name: "Reviews" })).toBeVisible();
  await expect(page.getByRole("tabpanel", { name: "Description" })).toBeHidden();
  const seen = page.getByRole("region", { name: "Recently seen" });
  await expect(seen.locator("h3")).toHaveText(["Skerry Turntable"]);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the cart says that it needs JavaScript, and the product can be read", async ({ page }) => {
    await page.goto("/cart");
    await expect(page.getByText("The cart needs JavaScript")).toBeVisible();
    await page.goto("/wishlist");
    await expect(page.getByText("The wishlist needs JavaScript")).toBeVisible();
    await page.goto(HEADPHONES);
    await expect(page.getByText("The cart needs JavaScript")).toBeVisible();
    await expect(page.getByRole("button", { name: "Add to cart" })).toBeHidden();
    await expect(page.getByRole("heading", { name: "Description" })).toBeVisible();
    await expect(page.getByText("Bluetooth 5.3, 3.5 mm cable included")).toBeVisible();
    await expect(
      page.getByRole("navigation", { name: "Shopping" }).getByRole("link", { name: "Cart" }),
    ).toHaveAttribute("href", "/cart");
  });
});
