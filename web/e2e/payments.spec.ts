// Payments on the page of a provider, by the demo's stand-in of Stripe: cards that pay and cards that do not, the Back
// button, delayed payments, and all of it without JavaScript, in Bangla and by keyboard alone.
import type { Page } from "@playwright/test";
import { expectAccessible, expectNoOverflow, layoutShift, recordLayoutShifts } from "./a11y";
import { bn, openPage, say } from "./bangla";
import { expectBangla } from "./bangla-texts";
import {
  buy,
  fillIn,
  newCustomer,
  newEmail,
  openCheckout,
  PHONE,
  placeOrder,
  signedIn,
  signIn,
  unpaidOrder,
  withCart,
} from "./customer";
import { hydrated } from "./locators";
import { expect, test } from "./shop";
import { tabThrough } from "./tab-order";

const MUG = "marl-stoneware-mug";
const COMPLETED = "Your Order Has Been Completed";
const PAYS = "4242 4242 4242 4242";
const DECLINED = "4000 0000 0000 0002";
const AUTHENTICATED = "4000 0025 0000 3155";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const way = (page: Page, name: RegExp) => page.getByRole("radio", { name });
const goOn = (page: Page) => page.getByRole("button", { name: "Continue to payment" });
const pay = (page: Page) => page.getByRole("button", { name: /^Pay \$/ });
const cartIcon = (page: Page) =>
  page.getByRole("navigation", { name: "Shopping" }).getByRole("link", { name: /^Cart/ });

// The stand-in's pages.
const atProvider = (page: Page) => page.waitForURL(/\/dev\/payments\/stripe\/pay\//);
const press = (page: Page, name: string) => page.getByRole("button", { name }).click();

async function payPage(page: Page): Promise<void> {
  await page.waitForURL(/\/pay\/[\dA-Z]{4}-[\dA-Z]{4}\?key=/);
  await hydrated(page);
}

// A customer at the checkout, who goes on to pay by card.
async function payByCard(page: Page): Promise<void> {
  await signedIn(page);
  await withCart(page, { [MUG]: 2 });
  await openCheckout(page);
  await fillIn(page);
  await way(page, /^Credit card/).check();
  await goOn(page).click();
  await atProvider(page);
}

async function expectCompleted(page: Page): Promise<void> {
  await payPage(page);
  await expect(page.getByRole("dialog")).toHaveAccessibleName("Order successfully done");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(heading(page)).toHaveText(COMPLETED);
  await expect(heading(page)).toBeFocused();
  await expect(cartIcon(page)).toHaveAccessibleName("Cart");
}

// In the narrowest light and the widest dark.
async function inBothThemes(page: Page, what: string): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, "dark"],
    [360, "light"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await expectNoOverflow(page, what);
    await expectAccessible(page, `${what}, ${colorScheme}`);
  }
}

test("a card pays, the cart is emptied then, and the popup shows once", {
  tag: "@database",
}, async ({ page }) => {
  await signedIn(page);
  await withCart(page, { [MUG]: 2 });
  await openCheckout(page);
  await expect(page.getByRole("radiogroup", { name: "Payment" })).toContainText(
    "In this demo you can pay with test cards.",
  );
  await expect(placeOrder(page)).toBeVisible();
  await way(page, /^Credit card/).check();
  await expect(placeOrder(page)).toHaveCount(0);
  await inBothThemes(page, "the checkout by card");
  await fillIn(page);
  await goOn(page).click();
  await atProvider(page);
  await press(page, PAYS);
  await expectCompleted(page);
  await expect(page.locator("[aria-current=step]")).toHaveText("Order Completed");
  await expect(page.getByText("Paid with")).toBeVisible();
  await inBothThemes(page, "the paid order");
  await page.reload();
  await hydrated(page);
  await expect(heading(page)).toHaveText(COMPLETED);
  await expect(page.getByRole("dialog")).toHaveCount(0);

  // The order says how and when it was paid, and has its invoice.
  await page.getByRole("link", { name: "See the order and its invoice" }).click();
  const payment = page.getByRole("region", { name: "Payment" });
  await expect(payment).toContainText(/Credit card\$\d+\.\d\d/);
  await expect(payment).toContainText(/Paid · \d+ \w+ \d{4}, \d\d:\d\d/);
  await expect(page.getByRole("link", { name: /^Pay now/ })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Invoice" })).toBeVisible();
});

test("a declined card, and then another one", async ({ page }) => {
  await payByCard(page);
  await press(page, DECLINED);
  await expect(page.getByRole("alert")).toContainText("declined");
  await press(page, "Cancel and go back");
  await payPage(page);
  await expect(heading(page)).toHaveText("The payment did not work");
  await expect(
    page.getByText("Your bank has declined the card. Nothing was charged."),
  ).toBeVisible();
  await expect(page.getByText(/^We hold the goods for \d+ more minutes?\.$/)).toBeVisible();
  await expect(cartIcon(page)).toHaveAccessibleName(/2/);
  await inBothThemes(page, "the declined payment");
  await pay(page).click();
  await atProvider(page);
  await press(page, PAYS);
  await expectCompleted(page);
});

test("a bank that asks who it is", async ({ page }) => {
  await payByCard(page);
  await press(page, AUTHENTICATED);
  await press(page, "It is not me");
  await press(page, AUTHENTICATED);
  await press(page, "It is me");
  await expectCompleted(page);
});

test("whoever comes back by the Back button goes on with the same order", {
  tag: "@database",
}, async ({ page }) => {
  await payByCard(page);
  await page.goBack();
  await page.waitForURL(/\/cart\?step=checkout$/);
  await hydrated(page);
  const notice = page.getByText(/^Your order [\dA-Z]{4}-[\dA-Z]{4} waits for payment\./);
  await expect(notice).toBeVisible();
  const [number = ""] = /[\dA-Z]{4}-[\dA-Z]{4}/.exec((await notice.textContent()) ?? "") ?? [];
  await expect(goOn(page)).not.toHaveAttribute("aria-busy", "true");
  await expectAccessible(page, "the checkout with an order that waits");
  await goOn(page).click();
  await atProvider(page);
  await expect(page.getByText(`Order ${number}`)).toBeVisible();
  await page.goBack();
  await hydrated(page);

  await page.getByRole("link", { name: "Pay for it" }).click();
  await payPage(page);
  await expect(heading(page)).toHaveText("Your order waits for payment");
  await page.getByText("Cancel this order").click();
  await press(page, "Yes, cancel it");
  await expect(heading(page)).toHaveText("This order is cancelled");
  await expect(page.getByText("Nothing was charged.")).toBeVisible();
  await inBothThemes(page, "the cancelled order");
  await page.getByRole("link", { name: "To the cart" }).click();
  await expect(page.getByRole("row", { name: /Mug/ })).toBeVisible();
  await openCheckout(page);
  await expect(notice).toHaveCount(0);
});

test("an order that was paid in another tab is found at the checkout", async ({
  page,
  context,
}) => {
  await payByCard(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await page.goto("/cart?step=checkout");
  await hydrated(page);
  await expect(page.getByText(/waits for payment/)).toBeVisible();
  await press(other, PAYS);
  await payPage(other);
  await expect(heading(other)).toHaveText(COMPLETED);
  // The other tab has emptied the cart of both.
  await expect(cartIcon(page)).toHaveAccessibleName("Cart");
  await page.reload();
  await hydrated(page);
  await expect(page.getByText(/waits for payment/)).toHaveCount(0);
});

test("a delayed payment: the page moves on by itself, and nothing shifts", async ({ page }) => {
  await recordLayoutShifts(page);
  await payByCard(page);
  await press(page, "Pay by bank debit You go back");
  await payPage(page);
  await expect(heading(page)).toHaveText("Your bank is working on it");
  await expect(
    page.getByText("This may take some days. We hold your goods meanwhile."),
  ).toBeVisible();
  await expectAccessible(page, "the delayed payment");
  await expect(heading(page)).toHaveText(COMPLETED, { timeout: 60_000 });
  expect(await layoutShift(page)).toBeLessThan(0.02);
});

test("a delayed payment that the bank refuses", async ({ page }) => {
  await payByCard(page);
  await press(page, "Pay by a bank debit that fails");
  await payPage(page);
  await expect(heading(page)).toHaveText("Your bank is working on it");
  await expect(heading(page)).toHaveText("The payment did not work", { timeout: 60_000 });
  await expect(
    page.getByText(/^There was not enough money for it\. Nothing was charged\./),
  ).toBeVisible();
});

test("an unpaid order can be paid wherever it is shown", async ({ page }) => {
  const email = newEmail();
  const token = await newCustomer(page, email);
  const { number } = await buy(page, token, { [MUG]: 1 }, 0, "card");
  await page.goto("/login?from=%2Faccount");
  await hydrated(page);
  await signIn(page, email);
  const payNow = page.getByRole("link", { name: `Pay now for order ${number}` });
  const recent = page.getByRole("listitem").filter({ hasText: number });
  await expect(recent).toContainText("Awaiting payment");
  await expect(recent.getByRole("link", { name: /^Pay now/ })).toBeVisible();
  await page.goto("/account/orders");
  await expect(page.getByRole("row", { name: number })).toContainText("Awaiting payment");
  await expect(payNow).toBeVisible();
  await inBothThemes(page, "the purchase history with an unpaid order");
  await page.goto(`/account/orders/${number}`);
  await expect(
    page.getByText("It waits for your payment. We hold the goods meanwhile.").first(),
  ).toBeVisible();
  await inBothThemes(page, "the unpaid order");
  await page.goto(`/track?number=${number}`);
  await hydrated(page);
  const contact = page.getByRole("textbox", { name: "Email or phone" });
  await expect(contact).toHaveValue(/@/);
  await contact.fill(PHONE);
  await page.getByRole("button", { name: "Track", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Awaiting payment" })).toBeFocused();
  await inBothThemes(page, "the tracked unpaid order");
  await payNow.click();
  await payPage(page);
  await pay(page).click();
  await atProvider(page);
  await press(page, PAYS);
  await payPage(page);
  await expect(heading(page)).toHaveText(COMPLETED);
  // Another browser has placed it: nothing is done there.
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("the address of the page is kept nowhere, and never fetched ahead", async ({ page }) => {
  const address = await unpaidOrder(page);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.resourceType()} ${request.url()}`));
  const answer = await page.goto(address);
  await hydrated(page);
  expect(answer?.headers()).toMatchObject({
    "cache-control": expect.stringContaining("no-store"),
    "referrer-policy": "no-referrer",
  });
  await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", /noindex/);
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const entries = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return entries.flat().map(({ url }) => url);
  });
  expect(kept.filter((url) => url.includes("/pay/"))).toEqual([]);
  await page.goto("/");
  await hydrated(page);
  const documents = asked.filter((line) => /\/pay\//.test(line) && !line.includes("/api/pay/"));
  expect(documents).toHaveLength(1);
});

test("a wrong key shows nothing", async ({ page }) => {
  const address = await unpaidOrder(page);
  const wrong = address.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  expect((await page.request.get(wrong)).status()).toBe(404);
});

test("by keyboard alone", async ({ page }) => {
  await signedIn(page);
  await withCart(page, { [MUG]: 1 });
  await openCheckout(page);
  await fillIn(page);
  await way(page, /^Cash on delivery/).focus();
  await page.keyboard.press("ArrowDown");
  await expect(way(page, /^Credit card/)).toBeChecked();
  await expect(way(page, /^Credit card/)).toBeFocused();
  await goOn(page).focus();
  await page.keyboard.press("Enter");
  await atProvider(page);
  await page.getByRole("button", { name: "Cancel and go back" }).focus();
  await page.keyboard.press("Enter");
  await payPage(page);
  expect(await tabThrough(page)).toEqual([]);
  await pay(page).focus();
  await page.keyboard.press("Enter");
  await atProvider(page);
  await page.getByRole("button", { name: PAYS }).focus();
  await page.keyboard.press("Enter");
  await expectCompleted(page);
});

test("in Bangla", async ({ page }) => {
  const { payment, checkout } = bn;
  await signedIn(page);
  await withCart(page, { [MUG]: 1 });
  await openPage(page, "/bn/cart?step=checkout");
  await fillInBangla(page);
  await page.getByRole("radio", { name: /^ক্রেডিট কার্ড/ }).check();
  await expectBangla(page, "the checkout by card", ["Mina", "Das"]);
  await page.getByRole("button", { name: checkout.continueToPayment }).click();
  await atProvider(page);
  await press(page, DECLINED);
  await press(page, "Cancel and go back");
  await page.waitForURL(/\/bn\/pay\//);
  await hydrated(page);
  await expect(heading(page)).toHaveText(payment.failed);
  await expect(page.getByText(say(payment.cardDeclined))).toBeVisible();
  await expect(page.getByText(/^পণ্যগুলো আরও [০-৯]+ মিনিট/)).toBeVisible();
  await expectBangla(page, "the declined payment", ["Mina", "Das"]);
  await page.getByRole("button", { name: /^\$[০-৯.]+ দিন$/ }).click();
  await atProvider(page);
  await press(page, PAYS);
  await page.waitForURL(/\/bn\/pay\//);
  await expect(heading(page)).toHaveText(checkout.completed);
  await expectBangla(page, "the paid order", ["Mina", "Das"]);
});

async function fillInBangla(page: Page): Promise<void> {
  await page.getByLabel(bn.checkout.phone, { exact: true }).fill(PHONE);
  await page.getByLabel(bn.checkout.address, { exact: true }).fill("ধানমন্ডি, ঢাকা");
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("an order is paid, or cancelled, by the forms of its page", async ({ page }) => {
    await page.goto(await unpaidOrder(page));
    await expect(heading(page)).toHaveText("Your order waits for payment");
    await expect(page.getByText(/^We hold the goods until \d\d:\d\d \(UTC\)\.$/)).toBeVisible();
    await pay(page).click();
    await atProvider(page);
    await press(page, PAYS);
    await page.waitForURL(/\/pay\//);
    await expect(heading(page)).toHaveText(COMPLETED);

    await page.goto(await unpaidOrder(page));
    await page.getByText("Cancel this order").click();
    await press(page, "Yes, cancel it");
    await expect(heading(page)).toHaveText("This order is cancelled");
  });
});
