// Store credit: from a return to the account, spent on the next order, and returned from it.
import type { Page } from "@playwright/test";
import type { StoreCredit } from "../src/lib/api.gen";
import { expectAccessible, expectNoOverflow } from "./a11y";
import {
  accountId,
  amount,
  buy,
  expectCompleted,
  fillIn,
  newCustomer,
  newEmail,
  openCheckout,
  placeOrder,
  signIn,
  withCart,
} from "./customer";
import { newestEmail } from "./identity";
import { hydrated } from "./locators";
import { pdfText } from "./pdf";
import { expect, test } from "./shop";

const MUG = "marl-stoneware-mug";
const LAMP = "moonseed-globe-lamp";

// An account, an order's whole life cycle and two checkouts.

const dialog = (page: Page) => page.getByRole("dialog");
const balance = (page: Page) => page.locator("dl", { hasText: "Your balance" }).locator("dd");
const row = (page: Page, name: RegExp) => page.getByRole("row", { name });
const useCredit = (page: Page) => page.getByRole("checkbox", { name: /^Use store credit/ });

// A new customer, signed in on the store credit page.
async function customer(page: Page) {
  const email = newEmail();
  const token = await newCustomer(page, email);
  await page.goto("/login?from=%2Faccount%2Fcredit");
  await hydrated(page);
  await signIn(page, email);
  return { email, token, headers: { authorization: `Bearer ${token}` } };
}

async function openStoreCredit(page: Page): Promise<void> {
  await page.goto("/account/credit");
  await hydrated(page);
}

test("a return refunded as credit pays for a part of the next order, and is returned on cancelling", {
  tag: "@database",
}, async ({ page, cli }) => {
  const { email, token, headers } = await customer(page);
  await expect(page.getByText("No store credit yet")).toBeVisible();
  const { number: sentBack } = await buy(page, token, { [MUG]: 1 });
  for (let step = 0; step < 4; step++) await cli("orders", "advance", sentBack);
  await page.request.post(`/api/orders/${sentBack}/return`, { headers, data: {} });
  await cli("orders", "advance", sentBack);
  await cli("orders", "refund", sentBack, "--as-credit");
  expect(await newestEmail(page, email, `Your order ${sentBack} is refunded`)).toContain(
    "$138.00 is in your store credit now",
  );
  await page.reload();
  await expect(balance(page)).toHaveText("$138.00");
  await expect(row(page, /Refund of order/)).toContainText("+$138.00");
  await page.getByRole("link", { name: sentBack }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Order ${sentBack}`);
  await expect(page.getByText("Your money was given back.").first()).toBeVisible();

  await withCart(page, { [MUG]: 1 });
  await openCheckout(page);
  await expect(amount(page, "To pay")).toHaveCount(0);
  await fillIn(page);
  await page.getByText("Use store credit ($138.00)").click();
  await expect(page.getByText("Then $40.00 is left to pay.")).toBeVisible();
  await expect(amount(page, "Total")).toHaveText("$178.00");
  await expect(amount(page, "Store credit")).toHaveText("−$138.00");
  await expect(amount(page, "To pay")).toHaveText("$40.00");
  await placeOrder(page).click();
  const number = await expectCompleted(page);
  await expect(page.locator("main")).toContainText("$40.00");
  await expect(page.getByText("You pay the courier at your door.")).toBeVisible();
  const written = await newestEmail(page, email, `Your order ${number}`);
  for (const row of [/Store credit<\/td><td[^>]*>−\$138\.00</, /To pay<\/td><td[^>]*>\$40\.00</]) {
    expect(written).toMatch(row);
  }

  await page.goto("/account/orders");
  await hydrated(page);
  const listed = page.getByRole("row", { name: number });
  for (const words of ["$178.00", "Store credit −$138.00", "To pay $40.00"]) {
    await expect(listed).toContainText(words);
  }
  await page.getByRole("button", { name: `Invoice of order ${number}` }).click();
  const invoice = page.getByRole("article", { name: `Pro forma invoice ${number}` });
  await expect(invoice).toContainText("Store credit−$138.00To pay$40.00");
  const saved = page.waitForEvent("download");
  await dialog(page).getByRole("button", { name: "Download" }).click();
  const paper = await pdfText(await (await saved).path());
  for (const words of ["$178.00", "−$138.00", "To pay", "$40.00"]) expect(paper).toContain(words);

  // Cancelled: it is back.
  await openStoreCredit(page);
  await expect(balance(page)).toHaveText("$0.00");
  await row(page, /Paid for order/)
    .getByRole("link")
    .click();
  await page.getByRole("button", { name: "Cancel order" }).click();
  await page.getByRole("button", { name: "Yes, cancel it" }).click();
  await expect(page.getByText("It was called off").first()).toBeVisible();
  await openStoreCredit(page);
  await expect(balance(page)).toHaveText("$138.00");
  await expect(row(page, /Back from order/)).toContainText("+$138.00");
  await expect(row(page, /Paid for order/)).toContainText("−$138.00");
  expect(await newestEmail(page, email, `Your order ${number} is cancelled`)).toContain(
    "$138.00 is in",
  );
});

test.describe("credit that pays the whole order", () => {
  test.use({ allowedErrors: [/\b409\b/] });

  test("needs no other payment method, and is spent once", async ({ page, cli }) => {
    const { token, headers } = await customer(page);
    await cli("credit", "grant", accountId(token), "200", "--reason", "For the trouble");
    await page.reload();
    await expect(row(page, /For the trouble/)).toContainText("+$200.00");
    await withCart(page, { [MUG]: 1 });
    await openCheckout(page, "/checkout");
    await fillIn(page);
    await useCredit(page).check();
    await expect(page.getByText("It pays all of this order.")).toBeVisible();
    await expect(amount(page, "To pay")).toHaveText("$0.00");
    const cards = page.locator("[inert]", { has: page.getByText("Cash on delivery") });
    await expect(cards).toHaveCount(1);

    // Another window was faster.
    const { number } = await buy(page, token, { [LAMP]: 1 }, 150);
    await placeOrder(page).click();
    await expect(page.getByRole("alert")).toContainText("You have less store credit");
    await expect(amount(page, "Store credit")).toHaveText("−$50.00");
    await expect(cards).toHaveCount(0);

    await page.request.post(`/api/orders/${number}/cancel`, { headers, data: {} });
    await openCheckout(page, "/checkout");
    await fillIn(page);
    await useCredit(page).check();
    await placeOrder(page).click();
    const placed = await expectCompleted(page);
    await expect(page.getByText("You pay the courier")).toHaveCount(0);
    await page.goto("/account/orders");
    await hydrated(page);
    await page.getByRole("button", { name: `Invoice of order ${placed}` }).click();
    const invoice = page.getByRole("article", { name: `Pro forma invoice ${placed}` });
    await expect(invoice).toContainText("Payment methodStore creditPaymentPaid");
    const left = await page.request.get("/api/credit", { headers });
    expect(((await left.json()) as StoreCredit).balance).toBe(22);
  });
});

test("credit is kept in the shop's currency, and spent in the shopper's", async ({ page, cli }) => {
  const { token, headers } = await customer(page);
  await cli("credit", "grant", accountId(token), "50", "--reason", "For the trouble");
  const shop = new URL("/", page.url()).href;
  await page.context().addCookies([{ name: "currency", value: "BDT", url: shop }]);
  await page.reload();
  await expect(page.getByLabel("Currency")).toHaveValue("BDT");
  await expect(balance(page)).toHaveText("$50.00");
  await withCart(page, { [MUG]: 1 });
  await openCheckout(page);
  await fillIn(page);
  await useCredit(page).check();
  await expect(amount(page, "To pay")).toHaveText("৳15,424");
  await page.getByLabel("Currency").selectOption("USD");
  await expect(amount(page, "To pay")).toHaveText("$128.00");
  await page.getByLabel("Currency").selectOption("BDT");
  await expect(page.getByText("Use store credit (৳6,025)")).toBeVisible();
  await expect(amount(page, "Total")).toHaveText("৳21,449");
  await expect(amount(page, "Store credit")).toHaveText("−৳6,025");
  await expect(amount(page, "To pay")).toHaveText("৳15,424");
  await expect(page.getByText("Then ৳15,424 is left to pay.")).toBeVisible();
  await placeOrder(page).click();
  await expectCompleted(page);
  await expect(page.locator("main")).toContainText("৳15,424");
  const left = await page.request.get("/api/credit", { headers });
  expect(await left.json()).toMatchObject({ balance: 0, currency: "USD", spendable: 0 });
});

test.describe("at every width, in both themes", () => {
  test("store credit and a checkout with it fit and are accessible", async ({ page, cli }) => {
    const { token } = await customer(page);
    await cli(
      "credit",
      "grant",
      accountId(token),
      "500",
      "--reason",
      "For the lamp that came broken",
    );
    await buy(page, token, { [MUG]: 1 });
    const look = async (what: string) => {
      for (const width of [360, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoOverflow(page, `${what} at ${width}`);
      }
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page, `${what}, ${colorScheme}`);
      }
    };
    await page.reload();
    await expect(balance(page)).toHaveText("$500.00");
    await look("store credit");
    await withCart(page, { [MUG]: 1 });
    await openCheckout(page);
    await useCredit(page).check();
    await expect(amount(page, "To pay")).toHaveText("$0.00");
    await look("checkout");
  });
});
