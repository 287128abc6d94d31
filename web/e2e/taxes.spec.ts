// Taxes by rates: the same in the cart, at checkout, and on what follows from the order.
import { writeFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import type { Quote } from "../src/lib/api.gen";
import { expectAccessible, expectNoOverflow } from "./a11y";
import { openPage } from "./bangla";
import {
  expectCompleted,
  listOrders,
  openCheckout,
  PHONE,
  phone,
  placeOrder,
  signedIn,
  withCart,
} from "./customer";
import { hydrated } from "./locators";
import { type Cli, expect, test } from "./shop";

// $18.00; its delivery costs $40.00.
const MUG = "marl-stoneware-mug";
const BD = {
  ...{ _id: "bd", name: "VAT", translations: { bn: "ভ্যাট" }, percent: 15 },
  places: [{ country: "BD" }],
};
const DE = { _id: "de", name: "VAT", percent: 19, places: [{ country: "DE" }] };

type Rules = { rates: object[]; pricesIncludeTax?: boolean };

test.use({ settings: ["--countries", "BD, US, DE"] });

// Replaces all rules, and waits until the running shop knows them.
async function importTaxes(page: Page, cli: Cli, rules: Rules): Promise<void> {
  const file = test.info().outputPath("taxes.json");
  await writeFile(file, JSON.stringify(rules));
  await cli("taxes", "import", file);
  const data = { lines: [{ _id: MUG, qtn: 1 }] };
  const included = async () => {
    const answer = await page.request.post("/api/quote", { data });
    return ((await answer.json()) as Quote).taxes.map(({ included }) => included);
  };
  const { rates, pricesIncludeTax = false } = rules;
  await expect.poll(included).toEqual(rates.length > 0 ? [pricesIncludeTax] : []);
}

// Other tests may have the same database.
test.afterEach(({ page, cli }) => importTaxes(page, cli, { rates: [] }));

const cartTotal = (page: Page) => page.getByRole("region", { name: "Cart Total" });
const yourOrder = (page: Page) => page.getByRole("region", { name: "Your order" });
const row = (on: Locator, name: string) =>
  on.locator("dl > div", { has: on.page().getByText(name, { exact: true }) }).locator("dd");
const country = (page: Page) => page.getByRole("combobox", { name: "Country" });

test("a tax that is added follows the address", { tag: "@database" }, async ({ page, cli }) => {
  await importTaxes(page, cli, { rates: [BD, DE] });
  await signedIn(page);
  await withCart(page, { [MUG]: 1 });
  await page.goto("/cart");
  await hydrated(page);
  await expect(row(cartTotal(page), "Total")).toHaveText("$58.00");
  // 15 % of $18.00 are $2.70, and of $40.00 $6.00.
  await expect(cartTotal(page)).toContainText("Vat is added at the next step: $8.70");

  await openCheckout(page);
  await country(page).selectOption({ label: "Germany" });
  // 19 %: $3.42 and $7.60.
  await expect(row(yourOrder(page), "VAT 19%")).toHaveText("$11.02");
  await country(page).selectOption({ label: "United States" });
  await expect(row(yourOrder(page), "VAT 0% (export)")).toHaveText("$0.00");
  await expect(row(yourOrder(page), "Total")).toHaveText("$58.00");
  await country(page).selectOption({ label: "Bangladesh" });
  await expect(row(yourOrder(page), "VAT 15%")).toHaveText("$8.70");
  await expect(row(yourOrder(page), "Total")).toHaveText("$66.70");
  await expectAccessible(page, "the checkout with a tax");
  await phone(page).fill(PHONE);
  await page.getByRole("combobox", { name: "Division" }).selectOption("Khulna");
  await page.getByRole("combobox", { name: "District" }).selectOption("Khulna");
  await page.getByRole("combobox", { name: "Upazila or thana" }).fill("Dumuria");
  await page.getByRole("textbox", { name: "Street address" }).fill("House 12, Road 5");
  await placeOrder(page).click();
  const number = await expectCompleted(page);

  await page.goto(`/account/orders/${number}`);
  await hydrated(page);
  const bought = page.getByRole("region", { name: "What you bought" });
  await expect(row(bought, "VAT 15%")).toHaveText("$8.70");
  await expect(row(bought, "Total")).toHaveText("$66.70");
  await page.getByRole("button", { name: "Invoice" }).click();
  await expect(page.getByRole("dialog")).toContainText("VAT 15%");
  const [order] = await listOrders(page);
  expect(order).toMatchObject({
    ...{ number, vat: 8.7, total: 66.7 },
    taxes: [{ label: "VAT", rate: 15, net: 58, amount: 8.7, included: false }],
  });
  expect(await cli("orders", "show", number)).toContain("VAT 15%  $8.70");
});

test("a tax that prices include is not charged for an export", async ({ page, cli }) => {
  await importTaxes(page, cli, { rates: [BD, DE], pricesIncludeTax: true });
  await signedIn(page);
  await withCart(page, { [MUG]: 1 });
  await page.goto("/cart");
  await hydrated(page);
  await expect(row(cartTotal(page), "Total")).toHaveText("$58.00");
  // 15/115 of $18.00 are $2.35, and of $40.00 $5.22.
  await expect(row(cartTotal(page), "Includes VAT 15%")).toHaveText("$7.57");
  await page.getByRole("button", { name: "Change the destination" }).click();
  await country(page).selectOption({ label: "United States" });
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await expect(row(cartTotal(page), "VAT not charged").first()).toHaveText("−$2.35");
  await expect(row(cartTotal(page), "VAT not charged").last()).toHaveText("−$5.22");
  await expect(row(cartTotal(page), "Total")).toHaveText("$50.43");
  await page.goto(`/product/${MUG}`);
  const terms = page.getByRole("list", { name: "Delivery, returns and payment" });
  await expect(terms).toContainText("Price includes VAT");
  await openPage(page, "/bn/cart?step=checkout");
  await expect(page.locator("main")).toContainText("ভ্যাট ০% (রপ্তানি)");
  await page.setViewportSize({ width: 360, height: 900 });
  await expectNoOverflow(page, "the checkout of an export, 360 pixels wide");
  await expectAccessible(page, "the checkout of an export");
});
