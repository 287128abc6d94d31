// Invoices in the form of Bangladesh, and their numbers.
import { expectAccessible, expectNoOverflow } from "./a11y";
import { buy, newCustomer, newEmail, signIn } from "./customer";
import { hydrated } from "./locators";
import { pdfText } from "./pdf";
import { expect, test } from "./shop";

const MUG = "marl-stoneware-mug";

test.use({
  settings: [
    ...["--invoice-form", "mushak-6.3", "--invoice-signatory", "Karim Ahmed, Manager"],
    ...["--tax-number", "000123456-0101", "--invoice-number", "M{year:7}-{number:6}"],
  ],
});

test("an issued invoice has the fields of Mushak 6.3", async ({ page, cli }) => {
  const email = newEmail();
  const token = await newCustomer(page, email);
  const { number } = (await buy(page, token, { [MUG]: 2 })) as { number: string };
  await page.goto(`/login?from=${encodeURIComponent(`/account/orders/${number}`)}`);
  await hydrated(page);
  await signIn(page, email);
  await page.getByRole("button", { name: "Invoice" }).click();
  await expect(page.getByRole("article", { name: `Pro forma invoice ${number}` })).toBeVisible();

  for (let step = 0; step < 3; step++) await cli("orders", "advance", number);
  await page.goto(`/account/orders/${number}`);
  await hydrated(page);
  await expect(page.getByText(/^Invoice M\d{4}-\d{2}-\d{6}$/)).toBeVisible();
  await page.getByRole("button", { name: "Invoice" }).click();
  const invoice = page.getByRole("article", { name: /^Invoice M\d{4}-\d{2}-\d{6}$/ });
  for (const text of ["মূসক-৬.৩", "কর চালানপত্র", "000123456-0101", "Mina Das", "Karim Ahmed"]) {
    await expect(invoice).toContainText(text);
  }
  await expect(invoice.getByRole("columnheader")).toHaveCount(11);
  // The mugs, the delivery, and their sum.
  await expect(invoice.getByRole("row")).toHaveCount(4);
  await expect(invoice.getByRole("row").last()).toContainText("সর্বমোট");
  await expectAccessible(page, "the invoice");
  for (const width of [320, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoOverflow(page, `the invoice at ${width}`);
  }

  const saved = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: "Download" }).click();
  const paper = await pdfText(await (await saved).path());
  for (const text of ["000123456-0101", "Karim Ahmed", "Manager", "Mina Das"]) {
    expect(paper).toContain(text);
  }
});
