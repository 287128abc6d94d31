// One order, and every place that shows its amounts: all show the same.
import type { Quote, SpecifiedOrder } from "../src/lib/api.gen";
import {
  amount,
  expectCompleted,
  fillIn,
  listOrders,
  openCheckout,
  placeOrder,
  signedIn,
  withCart,
} from "./customer";
import { accessToken, newestEmail } from "./identity";
import { hydrated } from "./locators";
import { pdfText } from "./pdf";
import { expect, test } from "./shop";

const WANTED = { "marl-stoneware-mug": 3, "gill-headphone-stand": 2 };
// One of each, delivery and VAT. At the demo's rate of 120.5, each is rounded to whole taka once, and
// all else is their sum.
const PRICES = { USD: [18, 49, 40, 120], BDT: [2169, 5905, 4820, 14_460] };

function format(amount: number, currency: keyof typeof PRICES): string {
  if (currency === "BDT") return `৳${amount.toLocaleString("en")}`;
  return amount.toLocaleString("en", { style: "currency", currency });
}

for (const currency of ["USD", "BDT"] as const) {
  test(`an order in ${currency} costs the same wherever it is shown`, async ({ page }) => {
    test.slow();
    const email = await signedIn(page);
    await withCart(page, WANTED);
    await page.goto("/cart");
    await hydrated(page);
    await page.getByLabel("Currency").selectOption(currency);

    const wanted = Object.entries(WANTED).map(([_id, qtn]) => ({ _id, qtn }));
    const asked = await page.request.post("/api/quote", {
      headers: { "x-currency": currency },
      data: { lines: wanted },
    });
    const quote = (await asked.json()) as Quote;
    const { subTotal, shipping, vat, total } = quote;
    expect(quote.currency).toBe(currency);
    expect([...quote.lines.map(({ buyPrice }) => buyPrice), shipping, vat]).toEqual(
      PRICES[currency],
    );
    expect(quote.lines.map((line) => line.total)).toEqual(
      quote.lines.map((line) => line.buyPrice * line.qtn),
    );
    expect(subTotal).toBe(quote.lines.reduce((sum, line) => sum + line.total, 0));
    expect(total).toBe(subTotal + shipping + vat);
    const shown = (amount: number) => format(amount, currency);
    const sums = [subTotal, shipping, vat, total].map(shown);
    const lines = quote.lines.map(({ name, qtn, buyPrice, total }) => {
      return { name, qtn, price: shown(buyPrice), total: shown(total) };
    });

    // The cart excludes VAT, which is added at checkout.
    for (const line of lines) {
      await expect(page.getByRole("row", { name: line.name })).toContainText(line.price);
      await expect(page.getByRole("row", { name: line.name })).toContainText(line.total);
    }
    for (const sum of [subTotal, shipping, quote.cartTotal]) {
      await expect(page.locator("main")).toContainText(shown(sum));
    }
    await openCheckout(page);
    for (const [place, name] of ["Sub Total", "Shipping", "Vat", "Total"].entries()) {
      await expect(amount(page, name)).toHaveText(sums[place] ?? "");
    }
    await fillIn(page);
    await placeOrder(page).click();
    const number = await expectCompleted(page);
    await expect(page.locator("main")).toContainText(shown(total));

    const written = await newestEmail(page, email, `Your order ${number}`);
    for (const sum of sums) expect(written).toContain(sum);

    await page.goto(`/account/orders/${number}`);
    await hydrated(page);
    const bought = page.getByRole("region", { name: "What you bought" });
    for (const { name, qtn, price, total } of lines) {
      const item = bought.getByRole("listitem").filter({ hasText: name });
      await expect(item).toContainText(`${qtn} × ${price}`);
      await expect(item).toContainText(total);
    }
    for (const sum of sums) await expect(bought).toContainText(sum);

    await page.goto("/account/orders");
    await hydrated(page);
    await expect(page.getByRole("row", { name: number })).toContainText(shown(total));
    await page.getByRole("button", { name: `Invoice of order ${number}` }).click();
    const invoice = page.getByRole("dialog");
    for (const sum of sums) await expect(invoice).toContainText(sum);
    for (const { name, qtn, price, total } of lines) {
      const row = invoice.getByRole("row", { name });
      await expect(row).toContainText(`${qtn} × ${price}`);
      await expect(row).toContainText(total);
    }

    const saved = page.waitForEvent("download");
    await invoice.getByRole("button", { name: "Download" }).click();
    const paper = await pdfText(await (await saved).path());
    for (const sum of sums) expect(paper).toContain(sum);
    for (const line of lines) expect(paper).toContain(line.total);

    const [order] = await listOrders(page);
    expect(order).toMatchObject({ currency, subTotal, shipping, vat, total });
    expect(order?.lines.map((line) => line.total)).toEqual(quote.lines.map((line) => line.total));
    // Of the books, up to the rounding.
    expect(order?.base).toMatchObject({ currency: "USD", rate: currency === "BDT" ? 120.5 : 1 });
    expect(order?.base.total).toBeCloseTo(312, 1);
    const headers = { authorization: `Bearer ${await accessToken(page)}` };
    const listed = await page.request.get(`/api/order/s/?email=${email}`, { headers });
    const [specified] = (await listed.json()) as SpecifiedOrder[];
    expect(specified?.grandPrice).toBe(total);
  });
}
