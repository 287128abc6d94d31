// One order, and every place that shows its total: all show the same.
import type { Currency, Quote, SpecifiedOrder } from "../src/lib/api.gen";
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

const WANTED = { "marl-stoneware-mug": 3, "jotter-pocket-notebooks-set-of-three": 2 };
// Taka per dollar, the demo's rate.
const RATE = 120.5;

function format(dollars: number, currency: Currency): string {
  if (currency === "BDT") return `৳${Math.round(dollars * RATE).toLocaleString("en")}`;
  return dollars.toLocaleString("en", { style: "currency", currency });
}

for (const currency of ["USD", "BDT"] satisfies Currency[]) {
  test(`an order in ${currency} costs the same wherever it is shown`, async ({ page }) => {
    test.slow();
    const email = await signedIn(page);
    await withCart(page, WANTED);
    await page.goto("/cart");
    await hydrated(page);
    await page.getByLabel("Currency").selectOption(currency);

    const lines = Object.entries(WANTED).map(([_id, qtn]) => ({ _id, qtn }));
    const asked = await page.request.post("/api/quote", { data: { lines } });
    const quote = (await asked.json()) as Quote;
    const shown = (dollars: number) => format(dollars, currency);
    const sums = [quote.subTotal, quote.shipping, quote.vat, quote.total].map(shown);
    const total = sums.at(-1) ?? "";

    // The cart excludes VAT, which is added at checkout.
    for (const sum of [quote.subTotal, quote.shipping, quote.cartTotal]) {
      await expect(page.locator("main")).toContainText(shown(sum));
    }
    await openCheckout(page);
    for (const [place, name] of ["Sub Total", "Shipping", "Vat", "Total"].entries()) {
      await expect(amount(page, name)).toHaveText(sums[place] ?? "");
    }
    await fillIn(page);
    await placeOrder(page).click();
    const number = await expectCompleted(page);
    await expect(page.locator("main")).toContainText(total);

    const written = await newestEmail(page, email, `Your order ${number}`);
    for (const sum of sums) expect(written).toContain(sum);

    await page.goto("/account/orders");
    await hydrated(page);
    await expect(page.getByRole("row", { name: number })).toContainText(total);
    await page.getByRole("button", { name: `Invoice of order ${number}` }).click();
    for (const sum of sums) await expect(page.getByRole("dialog")).toContainText(sum);

    const saved = page.waitForEvent("download");
    await page.getByRole("dialog").getByRole("button", { name: "Download" }).click();
    const paper = await pdfText(await (await saved).path());
    for (const sum of sums) expect(paper).toContain(sum);

    const [order] = await listOrders(page);
    expect([order?.subTotal, order?.shipping, order?.vat, order?.total]).toEqual([
      quote.subTotal,
      quote.shipping,
      quote.vat,
      quote.total,
    ]);
    const headers = { authorization: `Bearer ${await accessToken(page)}` };
    const listed = await page.request.get(`/api/order/s/?email=${email}`, { headers });
    const [specified] = (await listed.json()) as SpecifiedOrder[];
    expect(specified?.grandPrice).toBe(quote.total);
  });
}
