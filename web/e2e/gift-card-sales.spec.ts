// Gift cards as goods: bought with others, sent by e-mail on a day, seen in the order.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
} from "./customer";
import { newestEmail } from "./identity";
import { hydrated } from "./locators";
import { type Cli, expect, test } from "./shop";

const GIFT = "haat-gift-card";
const CODE = /[A-Z2-9]{4}(-[A-Z2-9]{4}){3}/;

// Not among the demo's products, which other tests count.
async function importGiftCard(
  cli: Cli,
  shopUrl: string,
  status: "active" | "archived",
): Promise<void> {
  const mug = await fetch(`${shopUrl}/api/products/marl-stoneware-mug`);
  const { img } = (await mug.json()) as { img: string[] };
  const value = (dollars: number) => ({ options: { Value: `$${dollars}` }, realPrice: dollars });
  const product = {
    _id: GIFT,
    category: "accessories",
    name: "Gift card",
    "name@bn": "গিফট কার্ড",
    sku: "HT-GIFT",
    img: img.slice(0, 1),
    realPrice: 25,
    giftCard: true,
    fullDescription: "For somebody who likes to choose.",
    options: [{ name: "Value", values: ["$25", "$50", "$100"] }],
    variants: [25, 50, 100].map(value),
    status,
  };
  const file = join(mkdtempSync(join(tmpdir(), "haat-gift-")), "catalog.json");
  writeFileSync(file, JSON.stringify({ categories: [], products: [product] }));
  await cli("import", file);
}

async function expectPageOk(page: Page, what: string): Promise<void> {
  await expectAccessible(page, what);
  await expectNoOverflow(page, what);
}

const recipients = (page: Page) => page.getByRole("region", { name: "Who gets the gift card" });

test.beforeAll(async ({ cli, shopUrl }) => importGiftCard(cli, shopUrl, "active"));
test.afterAll(async ({ cli, shopUrl }) => importGiftCard(cli, shopUrl, "archived"));

test.use({ allowedErrors: [/\b(400|422)\b/] });

test("a gift card is bought like goods, sent on its day and seen in the order", {
  tag: "@database",
}, async ({ page, cli }) => {
  const email = newEmail();
  const token = await newCustomer(page, email);
  await cli("credit", "grant", accountId(token), "300", "--reason", "For the trouble");
  await page.goto(`/login?from=%2Fproduct%2F${GIFT}`);
  await hydrated(page);
  await signIn(page, email);
  await expect(page.getByRole("heading", { name: "Gift card", level: 1 })).toBeVisible();
  const terms = page.getByRole("list", { name: "Delivery, returns and payment" });
  await expect(terms).toContainText("Sent by e-mail, to you or to somebody else");
  await expect(terms).not.toContainText(/deliver/i);
  await expectPageOk(page, "a gift card's page");
  await page.locator("main").getByRole("link", { name: /^\$50/ }).click();
  await page.getByRole("button", { name: "Add to cart" }).first().click();

  await openCheckout(page);
  await fillIn(page);
  const block = recipients(page).getByRole("group", { name: "1 × Gift card ($50)" });
  const to = block.getByRole("textbox", { name: "Email address of the recipient" });
  const day = block.getByLabel("Day on which it is sent");
  await expectPageOk(page, "the checkout of a gift card");
  await to.fill("mina");
  await placeOrder(page).click();
  await expect(to).toHaveAttribute("aria-invalid", "true");
  const recipient = newEmail();
  await to.fill(recipient);
  // Refused by the shop's calendar.
  await day.fill("2020-01-01");
  await placeOrder(page).click();
  await expect(block).toContainText("Please choose a day from today to one year ahead.");
  await day.fill("");
  await page.getByRole("checkbox", { name: /Use store credit/ }).check();
  await expect(amount(page, "To pay")).toHaveText("$0.00");
  await placeOrder(page).click();
  const number = await expectCompleted(page);

  const html = await newestEmail(page, recipient, "A gift card of Haat");
  const [code = ""] = CODE.exec(html) ?? [];
  expect(html).not.toContain("Mina Das");
  await page.goto(`/account/orders/${number}`);
  await hydrated(page);
  const cards = page.getByRole("region", { name: "Gift cards that you bought" });
  await expect(cards).toContainText(`Gift card •••• ${code.slice(-4)}To m•••@example.comSent on`);
  await expectPageOk(page, "an order with a gift card");
  expect(await cli("orders", "show", number)).toContain(
    `•••• ${code.slice(-4)} to m•••@example.com`,
  );
  expect(await cli("gift-cards", "show", code)).toContain(number);

  // Sent again, it has another code.
  const shown = JSON.parse(await cli("gift-cards", "show", code, "--json"));
  const { _id: id } = (shown as { giftCard: { _id: string } }).giftCard;
  await cli("gift-cards", "resend", id);
  const again = await newestEmail(page, recipient, "A gift card of Haat", 2);
  const [newCode = ""] = CODE.exec(again) ?? [];
  expect(newCode).not.toBe(code);
  await expect(cli("gift-cards", "show", code)).rejects.toThrow(/no gift card/);

  // Nothing is spent, so the order can be called off.
  await page.getByRole("button", { name: "Cancel order" }).click();
  await page.getByRole("button", { name: "Yes, cancel it" }).click();
  await expect(cards).toContainText("Taken back");
  expect(await cli("gift-cards", "show", newCode)).toContain("$0.00 of $50.00");
});
