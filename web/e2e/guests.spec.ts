// Orders without an account: by name and phone number on a phone, with a code, tracked, and claimed later.
import type { Page } from "@playwright/test";
import { expectAccessible, expectNoOverflow } from "./a11y";
import { bn, openPage } from "./bangla";
import { expectBangla } from "./bangla-texts";
import {
  expectCompleted,
  newEmail,
  openCheckout,
  PASSWORD,
  phone,
  placeOrder,
  signedIn,
  withCart,
} from "./customer";
import { actionLink, emailsTo, newestEmail, textedCode } from "./identity";
import { hydrated } from "./locators";
import { expect, test } from "./shop";

const MUG = "marl-stoneware-mug";

// More than one mug costs with its delivery, and less than ten do.
test.use({
  settings: ["--countries", "BD, US", "--guest-code-over", "250"],
  // A code that is asked for, and a claim without proof.
  allowedErrors: [/\b(403|404)\b/],
});

let numbers = 0;
// Each order has its own, so that no test finds another's messages.
const newPhone = () => `01711${String(Date.now() + ++numbers).slice(-6)}`;

async function writeAddress(page: Page): Promise<void> {
  await page.getByRole("combobox", { name: "Division", exact: true }).selectOption("Dhaka");
  await page.getByRole("combobox", { name: "District", exact: true }).selectOption("Dhaka");
  await page.getByLabel("Upazila or thana").fill("Dhanmondi");
  await page.getByLabel("Street address").fill("House 12, Road 5");
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

async function track(page: Page, number: string, contact: string): Promise<void> {
  await openPage(page, `/track?number=${number}`);
  const field = page.getByRole("textbox", { name: "Email or phone" });
  // The address of the account is filled in when the sign-in is restored.
  await expect(field).toHaveValue(/@/);
  await field.fill(contact);
  await page.getByRole("button", { name: "Track", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Placed" })).toBeFocused();
}

const claim = (page: Page) => page.getByRole("button", { name: "Add to my account" });
const code = (page: Page) => page.getByRole("textbox", { name: "Code", exact: true });

test("ordered on a phone, and claimed by an account with its e-mail address", {
  tag: "@database",
}, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const email = newEmail();
  await withCart(page, { [MUG]: 1 });
  await openPage(page, "/cart");
  await page.getByRole("link", { name: "Order without an account" }).click();
  await expect(page).toHaveURL(/\/cart\?step=checkout$/);
  await expect(page.getByText("You order without an account.")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /store credit/ })).toHaveCount(0);
  await placeOrder(page).click();
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await inBothThemes(page, "the checkout without an account");
  await page.getByLabel("Name", { exact: true }).fill("Mina Das");
  await phone(page).fill("০১৭১১-২২৩৩৪৪");
  await page.getByLabel("Email (optional)").fill("nobody");
  await writeAddress(page);
  await placeOrder(page).click();
  await expect(page.getByLabel("Email (optional)")).toHaveAccessibleDescription(
    /Please write the whole address/,
  );
  await page.getByLabel("Email (optional)").fill(email);
  await placeOrder(page).click();
  const number = await expectCompleted(page);
  await expect(
    page.getByText(`An e-mail with all of this is on its way to ${email}.`),
  ).toBeVisible();
  await expect(page.getByRole("link", { name: "See the order" })).toHaveCount(0);
  await inBothThemes(page, "the completed order");
  // Nothing that a stranger typed goes to an address that is not proven.
  const mail = await newestEmail(page, email, `Your order ${number}`);
  expect(mail).not.toMatch(/Mina Das|House 12/);

  await page.getByRole("link", { name: "add it to an account" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Mina Das");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign up" }).click();
  await expect(page).toHaveURL(new RegExp(`/track\\?number=${number}$`));
  await track(page, number, email);
  await claim(page).click();
  await expect(page.getByRole("alert")).toContainText("Confirm your e-mail address");
  await inBothThemes(page, "the tracked order");
  await page.goto(await actionLink(page, email, "Confirm your e-mail address"));
  await expect(page.getByRole("heading", { level: 1 })).toContainText(/confirmed/i);
  await track(page, number, "০১৭১১২২৩৩৪৪");
  await claim(page).click();
  await expect(page).toHaveURL(new RegExp(`/account/orders/${number}$`));
  await expect(page.getByRole("button", { name: "Cancel order" })).toBeVisible();
});

test("a large order, and its claim by another account", async ({ page }) => {
  const number = newPhone();
  const e164 = `+88${number}`;
  await withCart(page, { [MUG]: 10 });
  await openCheckout(page, "/checkout");
  await page.getByLabel("First name").fill("Mina");
  await page.getByLabel("Last name").fill("Das");
  await phone(page).fill(number);
  await writeAddress(page);
  await placeOrder(page).click();
  await expect(
    page.getByText(`We have sent a text message with a code to ${number}.`),
  ).toBeVisible();
  await inBothThemes(page, "the checkout with a code");
  await code(page).fill("12");
  await placeOrder(page).click();
  await expect(code(page)).toHaveAccessibleDescription(/not the code that we sent/);
  await code(page).fill(await textedCode(page, e164, 1));
  await placeOrder(page).click();
  const order = await expectCompleted(page);
  await expect(page.getByText("A text message with the number is on its way")).toBeVisible();
  await expect.poll(async () => (await emailsTo(page, e164, "Text message")).length).toBe(2);

  await signedIn(page, "/track");
  await track(page, order, number);
  await claim(page).click();
  await expect(
    page.getByText(`We have sent a text message with a code to ${number}.`),
  ).toBeVisible();
  await claim(page).click();
  await expect(code(page)).toHaveAccessibleDescription(
    "Please type the code from the text message.",
  );
  await code(page).fill(await textedCode(page, e164, 3));
  await claim(page).click();
  await expect(page).toHaveURL(new RegExp(`/account/orders/${order}$`));
});

test("a code for first orders needs an account", async ({ page }) => {
  await withCart(page, { [MUG]: 1 });
  await openPage(page, "/cart?code=WELCOME10");
  await expect(
    page.getByText("It is for customers with an account: log in to use it."),
  ).toBeVisible();
  await signedIn(page, "/cart");
  await expect(page.getByText("10% off your first order")).toBeVisible();
});

test("in Bangla", async ({ page }) => {
  await withCart(page, { [MUG]: 1 });
  await openPage(page, "/bn/cart");
  await page.getByRole("link", { name: bn.cart.orderAsGuest }).click();
  await expect(page.getByRole("button", { name: bn.checkout.placeOrder })).toBeVisible();
  await hydrated(page);
  await expectBangla(page, "the checkout without an account");
});
