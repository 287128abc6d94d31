// Gift cards: issued by the shop, spent at checkout, given back, and their balance for whoever has the code.
import type { Page } from "@playwright/test";
import { expectAccessible, expectNoOverflow } from "./a11y";
import {
  accountId,
  amount,
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
import { type Cli, expect, test } from "./shop";

const MUG = "marl-stoneware-mug";

// An account, several commands and checkouts.

const field = (page: Page) => page.getByRole("textbox", { name: "Gift card", exact: true });
const section = (page: Page) => page.getByRole("group", { name: "Gift card" });
const apply = (page: Page) => section(page).getByRole("button", { name: "Apply" });
const chips = (page: Page) => section(page).getByRole("listitem");

async function issue(cli: Cli, dollars: string, ...more: string[]): Promise<string> {
  const issued = await cli("gift-cards", "issue", dollars, ...more, "--json");
  return (JSON.parse(issued) as [{ code: string }])[0].code;
}

const lastFour = (code: string) => code.slice(-4).toUpperCase();

async function customer(page: Page) {
  const email = newEmail();
  const token = await newCustomer(page, email);
  await page.goto("/login?from=%2Faccount%2Forders");
  await hydrated(page);
  await signIn(page, email);
  return { email, token, headers: { authorization: `Bearer ${token}` } };
}

async function addCard(page: Page, code: string): Promise<void> {
  await field(page).fill(code);
  await field(page).press("Enter");
  await expect(
    page.getByText(new RegExp(`The gift card •••• ${lastFour(code)} pays`)),
  ).toBeAttached();
}

test.describe("a gift card", () => {
  test.use({ allowedErrors: [/\b(404|409)\b/] });

  test("pays for a part of an order, is shown wherever the order is, and gets it back", {
    tag: "@database",
  }, async ({ page, cli }) => {
    const { email } = await customer(page);
    const code = await issue(cli, "50");
    const other = await issue(cli, "20");
    const empty = await issue(cli, "5");
    await cli("gift-cards", "adjust", empty, "-5");
    await withCart(page, { [MUG]: 1 });
    await openCheckout(page);
    await fillIn(page);

    // What is wrong is said beside the field.
    await apply(page).click();
    await expect(section(page)).toContainText("Please type a code.");
    await field(page).fill("AAAA-BBBB-CCCC-DDDD");
    await apply(page).click();
    await expect(section(page)).toContainText("We do not know this gift card.");
    await expect(field(page)).toHaveAttribute("aria-invalid", "true");
    await expect(field(page)).toBeFocused();
    await field(page).fill(empty);
    await apply(page).click();
    await expect(section(page)).toContainText("Nothing is left on this gift card.");

    // Typed in another way.
    await addCard(page, code.toLowerCase().replaceAll("-", " ").trim());
    await expect(chips(page)).toHaveText([`•••• ${lastFour(code)}−$50.00`]);
    await field(page).fill(code);
    await apply(page).click();
    await expect(section(page)).toContainText("This gift card is applied already.");
    await addCard(page, other);
    await expect(amount(page, `Gift card •••• ${lastFour(code)}`)).toHaveText("−$50.00");
    await expect(amount(page, `Gift card •••• ${lastFour(other)}`)).toHaveText("−$20.00");
    await expect(amount(page, "Total")).toHaveText("$178.00");
    await expect(amount(page, "To pay")).toHaveText("$108.00");
    await page
      .getByRole("button", { name: `Do not use the gift card •••• ${lastFour(other)}` })
      .click();
    await expect(amount(page, "To pay")).toHaveText("$128.00");
    expect(page.url()).not.toContain(code);

    // Something else was paid with it meanwhile.
    await cli("gift-cards", "adjust", code, "-10");
    await placeOrder(page).click();
    await expect(page.getByRole("alert")).toContainText("A gift card cannot pay that any more.");
    await expect(amount(page, "To pay")).toHaveText("$138.00");
    await placeOrder(page).click();
    const number = await expectCompleted(page);
    const ending = `Gift card •••• ${lastFour(code)}`;
    await expect(page.locator("main")).toContainText(`${ending}$40.00`);
    await expect(page.locator("main")).toContainText("To pay$138.00");

    const html = await newestEmail(page, email, `Your order ${number}`);
    expect(html).toMatch(new RegExp(`${ending}</td><td[^>]*>−\\$40\\.00<`));
    expect(html).not.toContain(code);
    await page.goto("/account/orders");
    await hydrated(page);
    await expect(page.getByRole("row", { name: number })).toContainText("Gift cards −$40.00");
    await page.getByRole("button", { name: `Invoice of order ${number}` }).click();
    const invoice = page.getByRole("article", { name: `Pro forma invoice ${number}` });
    await expect(invoice).toContainText(`${ending}−$40.00To pay$138.00`);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    const pdf = await pdfText(await (await download).path());
    expect(pdf).toContain(`•••• ${lastFour(code)}`);
    await page.goto(`/account/orders/${number}`);
    await hydrated(page);
    await expect(page.getByRole("region", { name: "What you bought" })).toContainText(
      `${ending}−$40.00To pay$138.00`,
    );
    await page.getByRole("button", { name: "Cancel order" }).click();
    await page.getByRole("button", { name: "Yes, cancel it" }).click();
    await expect(page.getByText("It was called off").first()).toBeVisible();
    expect(await newestEmail(page, email, `Your order ${number} is cancelled`)).toContain(
      "$40.00 was paid by gift card",
    );
    expect(await cli("gift-cards", "show", code)).toContain("$40.00 of $50.00");
  });

  test("covers an order, also together with store credit", async ({ page, cli }) => {
    const { token } = await customer(page);
    const code = await issue(cli, "100");
    await cli("credit", "grant", accountId(token), "200", "--reason", "For the trouble");
    await withCart(page, { [MUG]: 1 });
    await openCheckout(page, "/checkout");
    await fillIn(page);
    await addCard(page, code);
    await page.getByRole("checkbox", { name: /^Use store credit/ }).check();
    await expect(amount(page, "Store credit")).toHaveText("−$78.00");
    await expect(amount(page, "To pay")).toHaveText("$0.00");
    const large = await issue(cli, "500");
    await addCard(page, large);
    // Cards first: nothing is left for the credit.
    await expect(amount(page, "Store credit")).toHaveCount(0);
    await expect(section(page)).toContainText("Nothing else is left to pay.");
    await expect(field(page)).toHaveCount(0);
    await placeOrder(page).click();
    const number = await expectCompleted(page);
    expect(await cli("gift-cards", "show", large)).toContain("$422.00 of $500.00");
    expect(await cli("orders", "show", number)).toContain("Gift card: captured");
  });
});

test.describe("the balance", () => {
  test.use({ allowedErrors: [/\b404\b/] });

  test("is shown to whoever has the code", async ({ page, cli }) => {
    const to = newEmail();
    await cli("gift-cards", "issue", "50", "--to", to, "--expires", "2099-05-31");
    const html = await newestEmail(page, to, "A gift card of Haat");
    const code = /[A-Z2-9]{4}(-[A-Z2-9]{4}){3}/.exec(html)?.[0] ?? "";
    await page.goto("/about");
    await hydrated(page);
    await page.locator("footer").getByRole("link", { name: "Gift card balance" }).click();
    await expect(page).toHaveURL(/\/gift-card$/);
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
    const input = page.getByLabel("Code of the gift card");
    await input.fill("AAAA-BBBB-CCCC-DDDD");
    await page.getByRole("button", { name: "Show the balance" }).click();
    await expect(page.locator("main form")).toContainText("We do not know this gift card.");
    await expect(input).toBeFocused();
    await input.fill(` ${code.toLowerCase()} `);
    await input.press("Enter");
    const found = page.getByRole("region", { name: `Gift card •••• ${lastFour(code)}` });
    await expect(found).toContainText("$50.00");
    await expect(found).toContainText("It can be spent until 31 May 2099.");
    await expect(found.getByRole("heading")).toBeFocused();
    await expect(page).toHaveURL(/\/gift-card$/);
    // Nothing of the browser keeps it.
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(kept.toUpperCase()).not.toContain(code.replaceAll("-", "").slice(0, 8));
    expect(kept.toUpperCase()).not.toContain(code.slice(0, 9));

    await page.goto("/bn/gift-card");
    await hydrated(page);
    await page.getByLabel("গিফট কার্ডের কোড").fill(code);
    await page.getByRole("button", { name: "কত আছে দেখুন" }).click();
    await expect(page.getByText("$৫০.০০")).toBeVisible();
    await expect(page.getByText("৩১ মে ২০৯৯ পর্যন্ত খরচ করা যাবে।")).toBeVisible();
  });
});

test("a gift card is spent in the shopper's currency", async ({ page, cli }) => {
  await customer(page);
  const code = await issue(cli, "50");
  const shop = new URL("/", page.url()).href;
  await page.context().addCookies([{ name: "currency", value: "BDT", url: shop }]);
  await withCart(page, { [MUG]: 1 });
  await openCheckout(page);
  await fillIn(page);
  await addCard(page, code);
  await expect(amount(page, `Gift card •••• ${lastFour(code)}`)).toHaveText("−৳6,025");
  await expect(amount(page, "To pay")).toHaveText("৳15,424");
  await page.getByLabel("Currency").selectOption("USD");
  await expect(amount(page, "To pay")).toHaveText("$128.00");
  await page.getByLabel("Currency").selectOption("BDT");
  await expect(amount(page, "To pay")).toHaveText("৳15,424");
  await placeOrder(page).click();
  await expectCompleted(page);
  expect(await cli("gift-cards", "show", code)).toContain("$0.00 of $50.00");
});

test.describe("at every width, in both themes", () => {
  test("the balance and a checkout with gift cards fit and are accessible", async ({
    page,
    cli,
  }) => {
    await customer(page);
    const codes = [await issue(cli, "50"), await issue(cli, "20"), await issue(cli, "10.50")];
    const look = async (what: string) => {
      for (const width of [320, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoOverflow(page, `${what} at ${width}`);
      }
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page, `${what}, ${colorScheme}`);
      }
    };
    await withCart(page, { [MUG]: 1 });
    await openCheckout(page);
    for (const code of codes) await addCard(page, code);
    await look("checkout");
    await page.goto("/gift-card");
    await hydrated(page);
    await page.getByLabel("Code of the gift card").fill(codes[0] ?? "");
    await page.getByRole("button", { name: "Show the balance" }).click();
    await expect(page.getByText("It does not expire.")).toBeVisible();
    await look("balance");
  });
});
