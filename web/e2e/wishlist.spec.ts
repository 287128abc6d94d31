// The wishlist, in this browser and on the account, shared by a link; and stock alerts.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { expectAccessible, expectNoOverflow } from "./a11y";
import { importRow, newCustomer, newEmail, product, signIn } from "./customer";
import { newestEmail } from "./identity";
import { hydrated } from "./locators";
import { expect, test } from "./shop";

const TARN = "Tarn Over-Ear Headphones";
const TURNTABLE = "Skerry Turntable";
const VASE = "strand-stoneware-vase";

const tool = (page: Page, name: string) =>
  page
    .getByRole("navigation", { name: "Shopping" })
    .getByRole("link", { name: new RegExp(`^${name}`) });
const card = (page: Page, name: string) =>
  page.locator("main li:has(h3)", { hasText: name }).first();
const names = (page: Page) => page.locator("main li h3");

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
}

async function toggleWishlist(page: Page, name: string): Promise<void> {
  await card(page, name).hover();
  await card(page, name)
    .getByRole("button", { name: /wishlist$/ })
    .click();
}

async function signInAs(page: Page, email: string): Promise<void> {
  await open(page, "/login?from=%2Fwishlist");
  await signIn(page, email);
  await expect(page).toHaveURL(/\/wishlist$/);
}

// Another visitor's browser.
async function newVisitor(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({
    reducedMotion: "reduce",
    ...(baseURL !== undefined && { baseURL }),
  });
  return context.newPage();
}

async function expectPageOk(page: Page, what: string): Promise<void> {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page, `${what} at ${width}`);
  }
  await expectAccessible(page, what);
}

test("a guest's wishlist joins the account, follows to other browsers and moves to the cart", {
  tag: "@database",
}, async ({ page, browser, baseURL }) => {
  const email = newEmail();
  await newCustomer(page, email);
  await open(page, "/category/audio");
  await toggleWishlist(page, TURNTABLE);
  await toggleWishlist(page, TARN);
  await tool(page, "Wishlist").click();
  await expect(page.getByText("This list is in this browser alone.")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await signIn(page, email);
  await expect(names(page)).toHaveText([TARN, TURNTABLE]);
  await expect(page.getByRole("button", { name: "Share by link" })).toBeVisible();

  const second = await newVisitor(browser, baseURL);
  await signInAs(second, email);
  await expect(tool(second, "Wishlist")).toHaveAccessibleName("Wishlist, 2 items");
  await open(second, "/product/quern-pepper-mill");
  const saved = second.waitForResponse(/\/api\/wishlist\/quern-pepper-mill$/);
  await second
    .getByRole("button", { name: /^Add Quern.* wishlist$/ })
    .first()
    .click();
  await saved;
  // As when returning to the window.
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await expect(names(page)).toHaveText(["Quern Pepper Mill", TARN, TURNTABLE]);
  await expect(tool(page, "Wishlist")).toHaveAccessibleName("Wishlist, 3 items");

  // Products that are out of stock cannot be moved, and stay.
  await page
    .getByRole("button", { name: new RegExp(`^Move to cart.*${TARN} \\(Sand\\)$`) })
    .click();
  await expect(page.getByText("1 product in your cart now.")).toBeVisible();
  await expect(names(page)).toHaveText(["Quern Pepper Mill", TURNTABLE]);
  await expect(tool(page, "Cart")).toHaveAccessibleName("Cart, 1 item");
  await expect(
    card(page, TURNTABLE).getByRole("link", {
      name: `Let me know when ${TURNTABLE} (Walnut) is back`,
    }),
  ).toHaveAttribute("href", "/product/skerry-turntable?variant=skerry-turntable");

  await page.getByRole("button", { name: "Log out" }).click();
  await expect(tool(page, "Wishlist")).toHaveAccessibleName("Wishlist");
  await expect(page.getByText("Nothing wished for yet")).toBeVisible();
  await signInAs(page, email);
  await expect(names(page)).toHaveText(["Quern Pepper Mill", TURNTABLE]);
  await second.context().close();
});

test("a list is shared by a link, until sharing is stopped", async ({ page, browser, baseURL }) => {
  const email = newEmail();
  const token = await newCustomer(page, email);
  await page.request.post("/api/wishlist", {
    headers: { authorization: `Bearer ${token}` },
    data: { products: ["tarn-over-ear-headphones", "skerry-turntable", "quern-pepper-mill"] },
  });
  await signInAs(page, email);
  await page.getByRole("button", { name: "Share by link" }).click();
  const link = page.getByRole("main").getByRole("link", { name: /\/wishlist\/[\da-f]{32}$/ });
  const address = (await link.textContent()) ?? "";
  await expectPageOk(page, "the wishlist");

  const friend = await newVisitor(browser, baseURL);
  await open(friend, address);
  await expect(friend.getByRole("heading", { level: 1 })).toHaveText("Mina Das’s wishlist");
  await expect(names(friend)).toHaveText([TARN, TURNTABLE, "Quern Pepper Mill"]);
  await expect(friend.getByText(email)).toHaveCount(0);
  await expect(friend.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  await friend
    .getByRole("button", { name: new RegExp(`^Add to cart.*${TARN} \\(Sand\\)$`) })
    .click();
  await expect(tool(friend, "Cart")).toHaveAccessibleName("Cart, 1 item");
  await expectPageOk(friend, "somebody's wishlist");

  await page.getByRole("button", { name: "Move all 2 to cart" }).click();
  await expect(page.getByText("2 products in your cart now.")).toBeVisible();
  await expect(names(page)).toHaveText([TURNTABLE]);
  await page.getByRole("button", { name: "Stop sharing" }).click();
  await expect(page.getByRole("button", { name: "Share by link" })).toBeVisible();
  const ended = await friend.goto(address);
  expect(ended?.status()).toBe(404);
  await friend.context().close();
});

test.describe("when the server cannot be reached", () => {
  test.use({ allowedErrors: [/net::ERR_FAILED/] });

  test("a change is reverted, with a message", async ({ page }) => {
    const email = newEmail();
    await newCustomer(page, email);
    await signInAs(page, email);
    const heard = page.waitForResponse("**/api/wishlist");
    await open(page, "/product/tarn-over-ear-headphones");
    await heard;
    await page.route("**/api/wishlist/*", (route) => route.abort());
    const heart = page.getByRole("button", { name: `Add ${TARN} (Sand) to the wishlist` }).first();
    await heart.click();
    await expect(page.getByText("Your wishlist could not be reached.")).toBeVisible();
    await expect(heart).toHaveAttribute("aria-pressed", "false");
    await page.unroute("**/api/wishlist/*");
    await heart.click();
    await expect(tool(page, "Wishlist")).toHaveAccessibleName("Wishlist, 1 item");
  });
});

test("a stock alert is requested, and an e-mail says that the product is back", async ({
  page,
  cli,
}) => {
  const email = newEmail();
  await open(page, `/product/${VASE}`);
  const waiting = page.getByRole("region", { name: "Tell me when it is back" });
  await waiting.getByLabel("E-mail address").fill("nobody");
  await waiting.getByRole("button", { name: "Tell me" }).click();
  await expect(waiting.getByRole("alert")).toHaveText(/whole address/);
  await expectPageOk(page, "what is out of stock");
  await waiting.getByLabel("E-mail address").fill(email);
  await waiting.getByRole("button", { name: "Tell me" }).click();
  await expect(waiting.getByText("It is noted.")).toBeVisible();

  // The address is prefilled for signed-in customers.
  const customer = newEmail();
  await newCustomer(page, customer);
  await open(page, `/login?from=${encodeURIComponent(`/product/${VASE}`)}`);
  await signIn(page, customer);
  await expect(waiting.getByLabel("E-mail address")).toHaveValue(customer);
  await waiting.getByRole("button", { name: "Tell me" }).click();
  await expect(waiting.getByText("It is noted.")).toBeVisible();

  const setStock = async (qtn: number) => {
    const one = importRow(await product(page.request, VASE), qtn);
    const file = join(mkdtempSync(join(tmpdir(), "haat-stock-")), "catalog.json");
    writeFileSync(file, JSON.stringify({ categories: [], products: [one] }));
    await cli("import", file, "--stock-at", "now");
  };
  await setStock(5);
  const subject = "Strand Stoneware Vase (Chalk) is back in stock";
  const written = await newestEmail(page, email, subject);
  await newestEmail(page, customer, subject);
  const link = new RegExp(`href="([^"]*/product/${VASE}[^"]*)"`).exec(written)?.[1] ?? "";
  // The cached page follows.
  await expect(async () => {
    await page.goto(link);
    const stock = page.getByRole("main").getByText(/^In stock/);
    await expect(stock).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expect(waiting).toHaveCount(0);
  await setStock(0);

  await page.goto(/http[^\s"]*\/back-in-stock\/leave\?token=[\da-f]+/.exec(written)?.[0] ?? "");
  await page.getByRole("button", { name: "Forget them" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("They are forgotten.");
});
