// Orders as their customer sees them: account, invoice, tracking.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { VariantCard } from "../src/lib/api.gen";
import { expectAccessible, expectNoOverflow } from "./a11y";
import { ADDRESS, buy, newCustomer, newEmail, PHONE, signedIn, signIn } from "./customer";
import { accessToken, newestEmail } from "./identity";
import { hydrated } from "./locators";
import { pdfText } from "./pdf";
import { expect, test } from "./shop";

const MUG = "marl-stoneware-mug";
const LAMP = "moonseed-globe-lamp";

const dialog = (page: Page) => page.getByRole("dialog");
const tabs = (page: Page) => page.getByRole("navigation", { name: "Your account" });
const row = (page: Page, number: string) => page.getByRole("row", { name: number });
const steps = (page: Page) => page.locator("main section ol > li");
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const items = (page: Page) =>
  page.getByRole("region", { name: "What you bought" }).getByRole("listitem");

// A customer with orders, signed in at `to`.
async function customer(page: Page, to: string, ...carts: Record<string, number>[]) {
  const email = newEmail();
  const token = await newCustomer(page, email);
  const orders = [];
  for (const cart of carts) orders.push(await buy(page, token, cart));
  await page.goto(`/login?from=${encodeURIComponent(to)}`);
  await hydrated(page);
  await signIn(page, email);
  return { email, token, numbers: orders.map((order) => order.number as string) };
}

// One of the dashboard's numbers.
const figure = (page: Page, name: string) =>
  page.locator("dl > div", { hasText: name }).locator("dd");

async function track(page: Page, number: string, email: string): Promise<void> {
  await page.getByRole("textbox", { name: "Order number" }).fill(number);
  await page.getByRole("textbox", { name: "Email or phone" }).fill(email);
  await page.getByRole("button", { name: "Track", exact: true }).click();
}

const today = () =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format();

test("from the history to the order and its invoice, cancelled, and tracked", {
  tag: "@database",
}, async ({ page }) => {
  const { email, numbers } = await customer(page, "/account", { [MUG]: 2, [LAMP]: 1 });
  const [number = ""] = numbers;
  await expect(page.getByText("Good to see you, Mina Das.")).toBeVisible();
  await expect(figure(page, "Orders")).toHaveText("1");
  // Nothing yet: it is paid on delivery.
  await expect(figure(page, "Total spent")).toHaveText("$0.00");
  await expect(figure(page, "On the way")).toHaveText("1");
  await expect(page.getByRole("listitem").filter({ hasText: number })).toContainText("Unpaid");

  await tabs(page).getByRole("link", { name: "Purchase History" }).click();
  await expect(page).toHaveURL(/\/account\/orders$/);
  await expect(row(page, number)).toContainText(today());
  await expect(row(page, number)).toContainText("$325.00");
  await expect(row(page, number)).toContainText("Placed");
  await expect(row(page, number)).toContainText("2 × Marl Stoneware Mug");
  await expect(row(page, number).locator("img")).toHaveCount(2);

  await page.getByRole("link", { name: number }).click();
  await expect(page).toHaveURL(new RegExp(`/account/orders/${number}$`));
  await expect(heading(page)).toHaveText(`Order ${number}`);
  await expect(items(page)).toHaveCount(2);
  await expect(items(page).filter({ hasText: "Mug" })).toContainText("2 × $18.00");
  await expect(items(page).locator("img")).toHaveCount(2);
  await expect(steps(page).first()).toContainText("We have your order.");
  await expect(page.getByRole("link", { name: "Review" })).toHaveCount(0);

  const opener = page.getByRole("button", { name: "Invoice" });
  await opener.click();
  const invoice = page.getByRole("article", { name: `Pro forma invoice ${number}` });
  for (const text of ["Mina Das", ADDRESS.split("\n")[1] ?? "", PHONE, "Cash on delivery", email]) {
    await expect(invoice).toContainText(text);
  }
  await expect(invoice.getByRole("row", { name: "Mug" })).toContainText("2 × $18.00");
  await expect(invoice.getByRole("row", { name: "Mug" })).toContainText("$36.00");
  for (const [name, value] of [
    ["Sub Total", "$165.00"],
    ["Shipping", "$40.00"],
    ["Vat", "$120.00"],
    ["Invoice total", "$325.00"],
  ] as const) {
    await expect(invoice.locator("div", { hasText: name }).last()).toContainText(value);
  }
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();

  await page.getByRole("button", { name: "Cancel order" }).click();
  const question = page.getByRole("dialog", { name: "Cancel this order?" });
  await question.getByLabel("Why? (optional)").fill("Found it\nat home");
  await question.getByRole("button", { name: "Yes, cancel it" }).click();
  await expect(question).toHaveCount(0);
  await expect(steps(page).last()).toContainText("It was called off");
  await expect(steps(page).last()).toContainText("Found it at home");
  await expect(page.getByRole("button", { name: "Cancel order" })).toHaveCount(0);
  // The invoice says it, in the dialog and in the file.
  await opener.click();
  await expect(invoice).toContainText(/Cancelled on \d+ \w+ \d{4}\. Nothing is to be paid\./);
  await expect(invoice).toContainText("To pay$0.00");
  const saved = page.waitForEvent("download");
  await dialog(page).getByRole("button", { name: "Download" }).click();
  const paper = (await pdfText(await (await saved).path())).replaceAll(/\s/g, "");
  for (const text of await invoice.locator("dt, dd, td, th, h2, h3, p, small").allTextContents()) {
    const written = text.replaceAll(/\s|^\d+ × /g, "");
    expect(paper, text).toContain(written);
  }
  await page.keyboard.press("Escape");
  await tabs(page).getByRole("link", { name: "Purchase History" }).click();
  await expect(row(page, number)).toContainText("Cancelled");

  await page.locator("header").getByRole("link", { name: "Track my order" }).click();
  await expect(page).toHaveURL(/\/track$/);
  await expect(page.getByRole("textbox", { name: "Email or phone" })).toHaveValue(email);
  await track(page, number.toLowerCase().replace("-", ""), email);
  await expect(page.getByRole("heading", { name: "Cancelled" })).toBeFocused();
  await expect(steps(page)).toHaveText([/^Placed/, /^Cancelled/]);
});

test("some lines of a delivered order are returned and refunded", { tag: "@database" }, async ({
  page,
  cli,
}) => {
  const { email, numbers } = await customer(page, "/account", { [MUG]: 3, [LAMP]: 1 });
  const [number = ""] = numbers;
  for (const note of ["", "", "Courier: https://courier.example/t/42.", ""]) {
    await cli("orders", "advance", number, "--note", note);
  }
  await page.reload();
  const recent = page.getByRole("listitem").filter({ hasText: number });
  await expect(recent).toContainText("Delivered");
  await expect(recent).toContainText("Paid");
  await recent.getByRole("link", { name: number }).click();
  await expect(steps(page).last()).toContainText("It is with you.");
  const courier = page.getByRole("link", { name: "https://courier.example/t/42" });
  await expect(courier).toHaveAttribute("href", "https://courier.example/t/42");
  await expect(page.getByRole("button", { name: "Cancel order" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Review Marl Stoneware Mug" })).toHaveAttribute(
    "href",
    `/product/${MUG}#reviews`,
  );

  await page.getByRole("button", { name: "Return items" }).click();
  const question = page.getByRole("dialog", { name: "What do you want to return?" });
  await question.getByRole("button", { name: "Ask to return" }).click();
  await expect(question.getByRole("alert")).toHaveText("Choose what you want to return.");
  await question.getByRole("checkbox", { name: "Marl Stoneware Mug" }).check();
  await question.getByLabel("How many of Marl Stoneware Mug").selectOption("1 of 3");
  await question.getByLabel("Why? (optional)").fill("Chipped");
  await question.getByRole("button", { name: "Ask to return" }).click();
  await expect(steps(page).last()).toContainText("You asked to send it back.");
  const mugs = items(page).filter({ hasText: "Mug" });
  await expect(mugs).toContainText("1 return asked for");
  await expect(page.getByRole("button", { name: "Return items" })).toHaveCount(0);

  // 18.00 of 183.00 for the products, and the same share of the VAT of 120.00.
  for (let step = 0; step < 2; step++) await cli("orders", "advance", number);
  await page.reload();
  await expect(mugs).toContainText("1 returned and refunded");
  await expect(page.getByText("Partly refunded").first()).toBeVisible();
  await expect(page.getByText("Given back$29.80")).toBeVisible();
  expect(await newestEmail(page, email, `Your return from order ${number} is refunded`)).toContain(
    "$29.80 is paid back to you",
  );
  await page.getByRole("button", { name: "Invoice" }).click();
  const note = page.getByRole("article", { name: /^Credit note CN-\d{4}-\d{4}$/ });
  await expect(note.getByRole("row", { name: "Mug" })).toContainText("1 × $18.00");
  await expect(note).toContainText("Given back$29.80Paid back$29.80");
  const saved = page.waitForEvent("download");
  await dialog(page).getByRole("button", { name: "Download" }).click();
  const paper = await pdfText(await (await saved).path(), 2);
  for (const text of ["Credit note", "CN-", "HT-KIT-001", "$11.80", "$29.80"]) {
    expect(paper).toContain(text);
  }
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Return items" }).click();
  await expect(question.getByRole("checkbox")).toHaveCount(2);
  await page.keyboard.press("Escape");
  await tabs(page).getByRole("link", { name: "Purchase History" }).click();
  await expect(row(page, number)).toContainText("Partly refunded");
  await tabs(page).getByRole("link", { name: "Dashboard" }).click();
  await expect(figure(page, "Total spent")).toHaveText("$313.20");
});

test.describe("an order that can no longer be cancelled", () => {
  test.use({ allowedErrors: [/\b409\b/] });

  test("says why", async ({ page, cli }) => {
    const { numbers } = await customer(page, "/account/orders", { [MUG]: 1 });
    const [number = ""] = numbers;
    await page.getByRole("link", { name: number }).click();
    await page.getByRole("button", { name: "Cancel order" }).click();
    for (let step = 0; step < 2; step++) await cli("orders", "advance", number);
    await page.getByRole("button", { name: "Yes, cancel it" }).click();
    await expect(page.getByRole("alert")).toContainText("packed already");
  });
});

test("a long history is loaded in pages", { tag: "@database" }, async ({ page }) => {
  const carts = Array.from({ length: 11 }, () => ({ [MUG]: 1 }));
  const { numbers } = await customer(page, "/account/orders", ...carts);
  await expect(page.getByRole("row")).toHaveCount(11);
  await expect(row(page, numbers[0] ?? "")).toHaveCount(0);
  await page.getByRole("button", { name: "Load more" }).click();
  await expect(page.getByRole("row")).toHaveCount(12);
  await expect(row(page, numbers[0] ?? "")).toBeVisible();
  await expect(page.getByRole("button", { name: "Load more" })).toHaveCount(0);
});

test("only the invoice is printed, and it can be downloaded", async ({ page }) => {
  await customer(page, "/account/orders", { [MUG]: 1 });
  await page.getByRole("button", { name: /^Invoice of/ }).click();
  await expect(dialog(page).getByText("Invoice total")).toBeVisible();
  await page.evaluate(() => {
    Object.assign(window, { print: () => Object.assign(window, { printed: true }) });
  });
  await dialog(page).getByRole("button", { name: "Print" }).click();
  expect(await page.evaluate(() => "printed" in window)).toBe(true);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByText("Invoice total")).toBeVisible();
  await expect(page.locator("#root")).toBeHidden();
  for (const name of ["Print", "Download", "Close"]) {
    await expect(page.getByRole("button", { name, exact: true })).toBeHidden();
  }
  const ink = await page
    .getByText("Invoice total")
    .evaluate((element) => getComputedStyle(element).color);
  expect(ink).toBe("rgb(28, 27, 25)");
  await page.emulateMedia({ media: "screen" });

  const saved = page.waitForEvent("download");
  await dialog(page).getByRole("button", { name: "Download" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^invoice-[\dA-Z]{4}-[\dA-Z]{4}\.pdf$/);
  expect(
    readFileSync(await file.path())
      .subarray(0, 5)
      .toString(),
  ).toBe("%PDF-");
});

test.describe("when the shop does not answer", () => {
  test.use({ allowedErrors: [/net::ERR_FAILED/] });

  test("the account says so, with a retry", async ({ page }) => {
    await customer(page, "/track", { [MUG]: 1 });
    await page.route("**/api/orders*", (route) => route.abort());
    for (const url of ["/account", "/account/orders"]) {
      await page.goto(url);
      await expect(page.getByRole("alert")).toContainText("Your orders could not be loaded");
    }
    await page.unroute("**/api/orders*");
    await page.getByRole("button", { name: "Retry" }).click();
    await page.route("**/api/orders/*", (route) => route.abort());
    await page.getByRole("row").last().getByRole("link").click();
    await expect(page.getByRole("alert")).toContainText("This order could not be loaded");
    await page.unroute("**/api/orders/*");
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(items(page)).toHaveCount(1);
    await tabs(page).getByRole("link", { name: "Purchase History" }).click();
    const open = page.getByRole("button", { name: /^Invoice of/ });
    await page.route("**/invoice.pdf", (route) => route.abort());
    await open.click();
    await dialog(page).getByRole("button", { name: "Download" }).click();
    await expect(page.getByText("The invoice could not be downloaded.")).toBeVisible();
  });
});

test("a customer without orders is told so, with a link to the products", async ({ page }) => {
  await signedIn(page, "/account");
  await expect(page.getByText("No orders yet")).toBeVisible();
  await tabs(page).getByRole("link", { name: "Purchase History" }).click();
  await expect(page.getByText("No orders yet")).toBeVisible();
});

test("an order is bought again, as far as there is stock", async ({ page }) => {
  const { numbers } = await customer(page, "/track", { [MUG]: 2, [LAMP]: 1 });
  await page.route("**/api/variants?ids=*", async (route) => {
    const answer = await route.fetch();
    const variants = (await answer.json()) as VariantCard[];
    const left = variants.map((one) => (one._id === LAMP ? { ...one, qtn: 0 } : one));
    await route.fulfill({ response: answer, json: left });
  });
  await page.goto(`/account/orders/${numbers[0]}`);
  await page.getByRole("button", { name: "Buy again" }).click();
  await expect(page.getByText("2 items are in your cart.")).toContainText(
    "Not all could be added: Moonseed Globe Lamp (Brass) (out of stock).",
  );
  await page.getByRole("link", { name: "To the cart" }).click();
  await expect(page.getByRole("row", { name: /Mug/ })).toContainText("$36.00");
  await expect(page.getByText("Vat is added at the next step: $120.00")).toBeVisible();
});

test.describe("another customer's order", () => {
  test.use({ allowedErrors: [/\b404\b/] });

  test("is not found, and a guest signs in first", async ({ page }) => {
    const token = await newCustomer(page, newEmail());
    const { number } = await buy(page, token, { [MUG]: 1 });
    const email = newEmail();
    await newCustomer(page, email);
    await page.goto(`/account/orders/${number}`);
    await expect(page).toHaveURL(new RegExp(`/login\\?from=%2Faccount%2Forders%2F${number}$`));
    await hydrated(page);
    await signIn(page, email);
    await expect(page).toHaveURL(new RegExp(`/account/orders/${number}$`));
    await expect(page.getByText("There is no such order")).toBeVisible();
    await expect(page.locator("main")).not.toContainText("Mug");
  });
});

test("a guest signs in first and comes back; signing out leads home", async ({ page }) => {
  const email = newEmail();
  await newCustomer(page, email);
  await page.goto("/account/orders");
  await expect(page).toHaveURL(/\/login\?from=%2Faccount%2Forders$/);
  await hydrated(page);
  await signIn(page, email);
  await expect(page).toHaveURL(/\/account\/orders$/);
  await expect(page.locator("header").getByRole("link", { name: "Mina Das" })).toHaveAttribute(
    "href",
    "/account",
  );
  await tabs(page).getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect.poll(() => accessToken(page)).toBeNull();
});

test.describe("tracking", () => {
  test.use({ allowedErrors: [/\b(404|429)\b/] });

  test("needs a number and an address that belong together", async ({ page }) => {
    const token = await newCustomer(page, newEmail());
    const order = await buy(page, token, { [MUG]: 1 });
    await page.goto(`/track?number=${order.number}`);
    await hydrated(page);
    await expect(page.getByRole("textbox", { name: "Order number" })).toHaveValue(order.number);
    await page.getByRole("button", { name: "Track", exact: true }).click();
    await expect(page.getByText("Please type your e-mail address or phone number.")).toBeVisible();
    await track(page, order.number, "somebody@example.com");
    await expect(page.getByRole("alert")).toContainText("There is no order with this number");
    await track(page, order.number, order.email);
    await expect(page.getByRole("heading", { name: "Placed" })).toBeVisible();
    await expect(steps(page)).toHaveText([
      /^Placed/,
      /^Confirmed/,
      /^Packed/,
      /^Shipped/,
      /^Delivered/,
    ]);
    await expect(page.getByRole("alert")).toHaveCount(0);
  });

  test("too often says so", async ({ page }) => {
    await page.route("**/api/track", (route) =>
      route.fulfill({ status: 429, json: { error: { code: "too_many", message: "Slow down." } } }),
    );
    await page.goto("/track");
    await hydrated(page);
    await track(page, "7K3M-9QXF", "somebody@example.com");
    await expect(page.getByRole("alert")).toContainText("asked too often");
  });
});

test.describe("at every width, in both themes", () => {
  test("account, invoice and tracking fit and are accessible", async ({ page, cli }) => {
    test.slow();
    const { email, numbers } = await customer(page, "/account", { [MUG]: 1, [LAMP]: 2 });
    const [number = ""] = numbers;
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
    await expect(page.getByText("Total spent")).toBeVisible();
    await look("dashboard");
    await tabs(page).getByRole("link", { name: "Purchase History" }).click();
    const open = page.getByRole("button", { name: /^Invoice of/ });
    await expect(open).toBeVisible();
    await look("history");
    await open.click();
    await expect(dialog(page).getByText("Invoice total")).toBeVisible();
    await look("invoice");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: number }).click();
    await expect(items(page)).toHaveCount(2);
    await look("order");
    await page.getByRole("button", { name: "Cancel order" }).click();
    await expect(page.getByRole("dialog", { name: "Cancel this order?" })).toBeVisible();
    await look("question");
    for (let step = 0; step < 4; step++) await cli("orders", "advance", number);
    await page.reload();
    await page.getByRole("button", { name: "Return items" }).click();
    await expect(page.getByRole("checkbox")).toHaveCount(2);
    await look("return");
    await page.goto("/track");
    await hydrated(page);
    await track(page, number, email);
    await expect(page.getByRole("heading", { name: "Delivered" })).toBeVisible();
    await look("track");
  });
});
