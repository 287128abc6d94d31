// Discount codes: from a link or typed, in the cart, at checkout, and on what follows from the order.
import type { Locator, Page } from "@playwright/test";
import type { Quote } from "../src/lib/api.gen";
import { expectAccessible, expectNoOverflow, smallTargets } from "./a11y";
import { banglaDigits, bn, openPage, say } from "./bangla";
import { expectBangla } from "./bangla-texts";
import {
  ADDRESS,
  amount,
  expectCompleted,
  fillIn,
  listOrders,
  newCustomer,
  newEmail,
  openCheckout,
  PHONE,
  placeOrder,
  signedIn,
  signIn,
  withCart,
} from "./customer";
import { newestEmail } from "./identity";
import { hydrated } from "./locators";
import { pdfText } from "./pdf";
import { type Cli, expect, test } from "./shop";

// $18.00; delivery is $40.00, the VAT $120.00.
const MUG = "marl-stoneware-mug";
const LINES = [{ _id: MUG, qtn: 1 }];

const dialog = (page: Page) => page.getByRole("dialog");
const cartTotal = (page: Page) => page.getByRole("region", { name: "Cart Total" });
const row = (on: Locator, name: string) =>
  on.locator("dl > div", { has: on.page().getByText(name, { exact: true }) }).locator("dd");
const chip = (page: Page, code: string) =>
  page.getByRole("button", { name: `Remove the code ${code}` });
const field = (page: Page) => page.getByLabel("Discount code", { exact: true });
const keptCodes = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem("haat.codes") ?? "{}").value);

let codes = 0;

// A new code, once the running shop knows it.
async function newCode(page: Page, cli: Cli, ...options: string[]): Promise<string> {
  const code = `MARKET-${Date.now()}-${++codes}`;
  await cli("promotions", "create", code, ...options);
  const isKnown = async () => {
    const answer = await page.request.post("/api/quote", { data: { lines: LINES, codes: [code] } });
    const [outcome] = ((await answer.json()) as Quote).codes;
    return !/^(unknown_code|code_ended)$/.test(outcome?.reason?.code ?? "");
  };
  await expect.poll(isKnown).toBe(true);
  return code;
}

async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByRole("button", { name: "Add a discount code" }).click();
  await expect(field(page)).toBeFocused();
  await field(page).fill(code);
}

// Orders one mug with a code by the API.
async function buyWith(page: Page, token: string, code: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const wanted = { lines: LINES, codes: [code] };
  const quote = await page.request.post("/api/quote", { headers, data: wanted });
  const { total } = (await quote.json()) as Quote;
  const order = { ...wanted, name: "Mina Das", phone: PHONE, address: ADDRESS, total };
  const answer = await page.request.post("/api/orders", { headers, data: order });
  expect(answer.status(), await answer.text()).toBe(201);
}

test("a code from a link reduces the order, and every place shows the same amounts", {
  tag: "@database",
}, async ({ page, cli }) => {
  test.slow();
  const title = "A tenth off at the market";
  const code = await newCode(page, cli, "--percent", "10", "--title", title);
  const large = await newCode(page, cli, "--amount", "5", "--min", "500");
  const email = newEmail();
  await newCustomer(page, email);

  await page.goto(`/?code=${code.toLowerCase()}&code=%3Cb%3E`);
  await hydrated(page);
  await expect(page.getByText(`The code ${code} is in your cart.`)).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  expect(await keptCodes(page)).toEqual([code]);
  await page.goto(`/product/${MUG}`);
  await hydrated(page);
  await page.getByRole("button", { name: "Add to cart" }).first().click();
  await page
    .getByRole("navigation", { name: "Shopping" })
    .getByRole("link", { name: /^Cart/ })
    .click();
  await expect(dialog(page)).toContainText(/Subtotal\s*\$18\.00\s*Discount\s*−\$1\.80/);
  await dialog(page).getByRole("link", { name: "View Cart" }).click();

  await expect(row(cartTotal(page), title)).toHaveText("−$1.80");
  await expect(row(cartTotal(page), "Shipping")).toHaveText("$40.00");
  await expect(row(cartTotal(page), "Total")).toHaveText("$56.20");

  // An unknown code is refused at its field, and sent once.
  await typeCode(page, "nothing-like-it");
  await field(page).press("Enter");
  await expect(page.getByText("There is no such code.")).toBeVisible();
  await expect(field(page)).toHaveAccessibleDescription("There is no such code.");
  await expectAccessible(page, "the cart with an unknown code");
  expect(await keptCodes(page)).toEqual([code]);
  await field(page).press("Escape");
  await expect(page.getByRole("button", { name: "Add a discount code" })).toBeFocused();

  // One whose conditions do not hold yet stays, with its reason.
  await typeCode(page, ` ${large} `);
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("$482 to go: it needs goods for $500.")).toBeVisible();
  await expect(field(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Add a discount code" })).toBeFocused();
  await page.reload();
  await expect(page.getByText("$482 to go: it needs goods for $500.")).toBeVisible();
  await chip(page, large).click();
  await expect(page.getByText("$482 to go")).toHaveCount(0);

  await chip(page, code).click();
  await expect(row(cartTotal(page), "Total")).toHaveText("$58.00");
  await expect(cartTotal(page)).not.toContainText(title);
  await typeCode(page, banglaDigits(code.toLowerCase()));
  await field(page).press("Enter");
  await expect(row(cartTotal(page), title)).toHaveText("−$1.80");
  await expect(chip(page, code)).toBeVisible();

  await page.getByRole("link", { name: "To Continue Please Login first" }).click();
  await signIn(page, email);
  await expect(page).toHaveURL(/\/cart\?step=checkout$/);
  await expect(amount(page, "Sub Total")).toHaveText("$18.00");
  await expect(amount(page, title)).toHaveText("−$1.80");
  await expect(amount(page, "Total")).toHaveText("$176.20");
  await expect(chip(page, code)).toBeVisible();
  await expectAccessible(page, "the checkout with a code");
  await expect(page.getByRole("radio", { name: /^Cash on delivery/ })).toBeChecked();
  await fillIn(page);
  await placeOrder(page).click();
  const number = await expectCompleted(page);
  await expect(row(page.locator("main"), title)).toHaveText("−$1.80");
  await expect(page.locator("main")).toContainText("$176.20");
  expect(await keptCodes(page)).toEqual([]);

  const written = await newestEmail(page, email, `Your order ${number}`);
  for (const text of [title, "−$1.80", "$176.20"]) expect(written).toContain(text);

  await page.goto(`/account/orders/${number}`);
  await hydrated(page);
  const bought = page.getByRole("region", { name: "What you bought" });
  await expect(row(bought, title)).toHaveText("−$1.80");
  await expect(row(bought, "Total")).toHaveText("$176.20");
  await page.getByRole("button", { name: "Invoice" }).click();
  await expect(row(dialog(page), title)).toHaveText(/^[-−]\$1\.80$/);
  await expect(dialog(page)).toContainText("$176.20");
  const saved = page.waitForEvent("download");
  await dialog(page).getByRole("button", { name: "Download" }).click();
  const paper = await pdfText(await (await saved).path());
  for (const text of [title, "$1.80", "$176.20"]) expect(paper).toContain(text);

  const [order] = await listOrders(page);
  expect(order).toMatchObject({ number, subTotal: 18, discount: 1.8, shipping: 40, total: 176.2 });
});

test("a limit per customer is judged after signing in", { tag: "@database" }, async ({
  page,
  cli,
}) => {
  const code = await newCode(page, cli, "--percent", "50", "--per-customer", "1");
  const email = newEmail();
  await buyWith(page, await newCustomer(page, email), code);
  await withCart(page, { [MUG]: 1 });
  await page.goto(`/cart?code=${code}`);
  await hydrated(page);
  await expect(page.getByText("It is for customers with an account")).toBeVisible();
  await page.getByRole("link", { name: "To Continue Please Login first" }).click();
  await signIn(page, email);
  await expect(page.getByText("You have used it already.")).toBeVisible();
  await expect(amount(page, "Total")).toHaveText("$178.00");
  // Also at once after a reload, with one request.
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/quote"))
      asked.push(request.headers().authorization ?? "nobody");
  });
  await page.reload();
  await expect(page.getByText("You have used it already.")).toBeVisible();
  await expect(page.getByRole("radio", { name: /^Cash on delivery/ })).toBeChecked();
  expect(asked).toEqual([expect.stringMatching(/^Bearer /)]);
});

test.describe("a code that somebody else uses up", () => {
  test.use({ allowedErrors: [/\b409\b/] });

  test("is reported instead of an order with another total", { tag: "@database" }, async ({
    page,
    cli,
  }) => {
    const code = await newCode(page, cli, "--amount", "8", "--limit", "1");
    await signedIn(page);
    await withCart(page, { [MUG]: 1 });
    await openCheckout(page, `/cart?step=checkout&code=${code}`);
    await expect(amount(page, "Total")).toHaveText("$170.00");
    await fillIn(page);
    await buyWith(page, await newCustomer(page), code);
    await placeOrder(page).click();
    const alert = page.getByRole("alert").filter({ hasText: "The price has changed." });
    await expect(alert).toContainText(`${code}: It has been used as often as it could be.`);
    await expect(amount(page, "Total")).toHaveText("$178.00");
    await expect(amount(page, code)).toHaveCount(0);
    await placeOrder(page).click();
    await expectCompleted(page);
    await expect(page.locator("main")).toContainText("$178.00");
  });
});

test("free delivery is a row below the delivery, and a missing gift is linked", async ({
  page,
  cli,
}) => {
  const free = await newCode(page, cli, "--free-delivery", "--title", "Delivered for nothing");
  const gift = await newCode(page, cli, "--gift", "moonseed-globe-lamp");
  await withCart(page, { [MUG]: 1 });
  await page.goto(`/cart?code=${free}&code=${gift}`);
  await hydrated(page);
  await expect(cartTotal(page).locator("dl")).toHaveText(
    /Shipping\s*\$40\.00\s*Delivered for nothing\s*−\$40\.00\s*Total\s*\$18\.00/,
  );
  await page.getByRole("link", { name: "Moonseed Globe Lamp (Brass)" }).click();
  await expect(page).toHaveURL(/\/product\/moonseed-globe-lamp/);
  await page.getByRole("button", { name: "Add to cart" }).first().click();
  await page.goto("/cart");
  await expect(row(cartTotal(page), gift)).toHaveText("−$129.00");
});

test("codes in Bangla, at every width", async ({ page, cli }) => {
  const code = await newCode(page, cli, "--percent", "10");
  const large = await newCode(page, cli, "--amount", "5", "--min", "5000");
  const names = [code, large, "MARKET", "NO"];
  const { cart } = bn;
  await withCart(page, { [MUG]: 3 });
  await openPage(page, `/bn/cart?code=${code}&code=${large}`);
  const least = { missing: `$${banglaDigits("4,946")}`, least: `$${banglaDigits("5,000")}` };
  await expect(page.getByText(say(cart.codeMinSubTotal, least))).toBeVisible();
  await expect(page.getByText("−$৫.৪০")).toBeVisible();
  await page.getByRole("button", { name: cart.addCode }).click();
  await page.getByLabel(cart.discountCode, { exact: true }).fill("no");
  await page.getByRole("button", { name: cart.applyCode }).click();
  await expect(page.getByText(cart.codeUnknown)).toBeVisible();
  await expectBangla(page, "the cart with codes", names);
  for (const width of [360, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoOverflow(page, `the cart with codes, ${width} pixels wide`);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `the cart with codes, ${colorScheme}`);
    }
    const small = await smallTargets(page);
    expect(small.filter((target) => /MARKET|কোড|প্রয়োগ/.test(target))).toEqual([]);
  }
});
