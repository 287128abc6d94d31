// Manage Profile: changes to the account, and its deletion.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { totp } from "../sdk/totp";
import { expectAccessible, expectNoOverflow } from "./a11y";
import {
  ADDRESS,
  address,
  buy,
  newCustomer,
  newEmail,
  openCheckout,
  PASSWORD,
  PHONE,
  phone,
  signIn,
  withCart,
} from "./customer";
import { accessToken, actionLink, verifiedCustomer } from "./identity";
import { hydrated } from "./locators";
import { expect, test } from "./shop";

const MUG = "marl-stoneware-mug";
const NEW_PASSWORD = "Bazaar#22";
const PROFILE = "/account/profile";

// Refused calls are answered by 400, also for a deleted account.
test.use({ allowedErrors: [/\b400\b/] });

const header = (page: Page) => page.locator("header");
const dialog = (page: Page) => page.getByRole("dialog");
const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const expectText = (page: Page, words: string | RegExp) =>
  expect(page.getByText(words)).toBeVisible();

async function signInAs(page: Page, email: string, to = PROFILE): Promise<void> {
  await page.goto(`/login?from=${encodeURIComponent(to)}`);
  await hydrated(page);
  await signIn(page, email);
}

async function logInWith(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/login");
  await hydrated(page);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await press(page, "Continue");
}

test.describe("what sessions depend on", () => {
  // A new address ends the page's session: its tokens are refused, and it is signed out.
  test.use({ allowedErrors: [/\b40[01]\b/] });

  test("name, password and e-mail address are changed", async ({ page }) => {
    const email = newEmail();
    await newCustomer(page, email);
    await signInAs(page, email, "/account");
    await page.getByRole("link", { name: "Manage Profile" }).click();
    await expect(page).toHaveURL(/\/account\/profile$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Manage Profile");

    const name = page.getByLabel("Display name");
    await expect(name).toHaveValue("Mina Das");
    await name.fill(" ");
    await press(page, "Save Change");
    await expect(name).toHaveAccessibleDescription("Name is Required");
    await name.fill("Mina Rahman");
    await press(page, "Save Change");
    await expectText(page, "Your name is changed.");
    await expect(header(page).getByText("Mina Rahman")).toBeVisible();

    const current = page.getByLabel("Current password");
    const wanted = page.getByLabel("New password", { exact: true });
    const confirm = page.getByLabel("Confirm the new password");
    await current.fill("Wrong#123");
    await wanted.fill("bazaarbazaar");
    await expect(section(page, "Password").getByText(": met")).toHaveCount(1);
    await wanted.fill(NEW_PASSWORD);
    await expect(section(page, "Password").getByText(": met")).toHaveCount(4);
    await confirm.fill(PASSWORD);
    await press(page, "Change the password");
    await expect(confirm).toHaveAccessibleDescription("The two passwords differ.");
    await confirm.fill(NEW_PASSWORD);
    await press(page, "Change the password");
    await expect(current).toHaveAccessibleDescription("That is not your password.");
    await expect(current).toBeFocused();
    await current.fill(PASSWORD);
    await press(page, "Change the password");
    await expectText(page, "Your password is changed.");
    await expect(current).toHaveValue("");

    // After an old sign-in the page asks for reauthentication, which can be cancelled.
    const next = newEmail();
    let asked = 0;
    await page.route("**/accounts:sendOobCode*", (route) => {
      asked += 1;
      if (asked > 2) return route.fallback();
      const error = { code: 400, message: "CREDENTIAL_TOO_OLD_LOGIN_AGAIN" };
      return route.fulfill({ status: 400, json: { error } });
    });
    await page.getByLabel("New e-mail address").fill(email.toUpperCase());
    await press(page, "Send the e-mail");
    await expectText(page, "That is your address already.");
    await page.getByLabel("New e-mail address").fill(next);
    await press(page, "Send the e-mail");
    await expect(dialog(page)).toContainText("show once more that it is you");
    await page.keyboard.press("Escape");
    await expectText(page, "Nothing was changed.");
    await press(page, "Send the e-mail");
    await dialog(page).getByLabel("Your password").fill(PASSWORD);
    await dialog(page).getByRole("button", { name: "Continue" }).click();
    await expect(dialog(page).getByLabel("Your password")).toHaveAccessibleDescription(
      "That is not your password.",
    );
    await expectAccessible(page, "the question who it is");
    await dialog(page).getByLabel("Your password").fill(NEW_PASSWORD);
    await dialog(page).getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("status").filter({ hasText: next })).toBeVisible();

    await page.goto(await actionLink(page, next, "Confirm your new e-mail address"));
    await hydrated(page);
    await press(page, "Confirm the change");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your address is changed.");
    await logInWith(page, next, NEW_PASSWORD);
    await expect(page).toHaveURL(/\/$/);
    await expect(header(page).getByText("Mina Rahman")).toBeVisible();
  });
});

test("linked accounts, a second step, and every device", { tag: "@database" }, async ({
  page,
  browser,
  baseURL,
}) => {
  const email = newEmail();
  await verifiedCustomer(page, email, PASSWORD);
  await signInAs(page, email);

  // Links Google, and unlinks it.
  const google = section(page, "Linked accounts")
    .getByRole("listitem")
    .filter({ hasText: "Google" });
  const opened = page.waitForEvent("popup");
  await google.getByRole("button", { name: "Link Google" }).click();
  const popup = await opened;
  await popup.getByLabel(/^name/i).fill("Mina");
  await popup.getByLabel(/^e-?mail/i).fill(newEmail());
  await popup.getByRole("button", { name: "Continue" }).click();
  await expectText(page, "Google is linked.");
  await google.getByRole("button", { name: "Unlink Google" }).click();
  await expectText(page, "Google is not linked any more.");
  await expect(google.getByRole("button", { name: "Link Google" })).toBeVisible();

  // A second device, listed until everything is signed out.
  const elsewhere = await browser.newContext({ baseURL: baseURL ?? "", userAgent: IPHONE });
  const other = await elsewhere.newPage();
  await signInAs(other, email);
  await expect(header(other).getByText("Log out")).toBeVisible();
  await page.reload();
  const devices = section(page, "Signed-in devices").getByRole("listitem");
  await expect(devices.filter({ hasText: "Safari on iPhone" })).toHaveCount(1);
  await expect(devices.filter({ hasText: "This device" })).toContainText("Chrome on Linux");
  await press(page, "Sign out everywhere");
  await expect(page).toHaveURL(/\/login\?from=%2Faccount%2Fprofile$/);
  await other.reload();
  await expect(other).toHaveURL(/\/login/);
  await elsewhere.close();

  // Enrols an app by its key; then signing in asks for a code.
  await hydrated(page);
  await signIn(page, email);
  await expect(page).toHaveURL(/\/account\/profile$/);
  await press(page, "Set up an authenticator app");
  await expect(dialog(page).getByRole("img", { name: "QR code of the key" })).toBeVisible();
  await expectAccessible(page, "the authenticator app");
  const secret = ((await dialog(page).locator("code").textContent()) ?? "").replaceAll(" ", "");
  await dialog(page).getByLabel("Six-digit code").fill("000000");
  await press(page, "Turn it on");
  await expect(dialog(page).getByLabel("Six-digit code")).toHaveAccessibleDescription(/not right/);
  await dialog(page).getByLabel("Six-digit code").fill(totp(secret));
  await press(page, "Turn it on");
  await expectText(page, "From now on signing in asks for a code.");
  await page.getByRole("main").getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL(/\/$/);
  await logInWith(page, email, PASSWORD);
  await page.getByLabel("Six-digit code").fill(totp(secret, 1));
  await press(page, "Sign in");
  await expect(header(page).getByText("Log out")).toBeVisible();
  await page.goto(PROFILE);
  await press(page, "Remove Authenticator app");
  await expectText(page, "The second step is gone.");
  await expect(page.getByRole("button", { name: "Set up an authenticator app" })).toBeVisible();
});

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";

test("a photo, and addresses that the checkout knows", { tag: "@database" }, async ({ page }) => {
  const email = newEmail();
  await newCustomer(page, email);
  await signInAs(page, email);
  const photo = page.getByLabel("Photo", { exact: true });
  await photo.setInputFiles({
    name: "me.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.from("<svg onload=alert(1)>"),
  });
  await expect(page.getByRole("alert")).toHaveText(/^This file is not a photo/);
  // As from a phone: more pixels than the server decodes, so the browser scales it down.
  const drawn = await page.evaluate(() => {
    const size = { width: 5000, height: 4000 };
    return Object.assign(document.createElement("canvas"), size).toDataURL("image/jpeg");
  });
  const buffer = Buffer.from(drawn.split(",")[1] ?? "", "base64");
  await photo.setInputFiles({ name: "me.jpg", mimeType: "image/jpeg", buffer });
  await expectText(page, "Your photo is saved.");
  const shown = header(page).locator("img[src^='/media/'][width='24']");
  await expect(shown).toBeVisible();
  const { width, height } = await shown.evaluate((img: HTMLImageElement) => ({
    width: img.naturalWidth,
    height: img.naturalHeight,
  }));
  expect(width).toBe(height);

  const addresses = section(page, "Addresses").getByRole("listitem");
  for (const [name, place] of [
    ["Mina Das", ADDRESS],
    ["Rima Das", "House 7, Khulna"],
  ] as const) {
    await press(page, "Add an address");
    await dialog(page).getByLabel("Name").fill(name);
    await dialog(page).getByLabel("Address").fill(place);
    await press(page, "Save the address");
    await expect(dialog(page).getByLabel("Phone")).toHaveAccessibleDescription(/Phone is required/);
    await dialog(page).getByLabel("Phone").fill(PHONE);
    await press(page, "Save the address");
    await expect(dialog(page)).toBeHidden();
  }
  await expect(addresses.first()).toContainText("Usual");
  await addresses
    .last()
    .getByRole("button", { name: /^Make it the usual one/ })
    .click();
  await expect(addresses.first()).toContainText("Rima Das");
  await addresses.first().getByRole("button", { name: /^Edit/ }).click();
  await dialog(page).getByLabel("Address").fill("House 8, Khulna");
  await press(page, "Save the address");
  await expect(addresses.first()).toContainText("House 8, Khulna");

  for (const [width, colorScheme] of [
    [360, "light"],
    [1440, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await expectNoOverflow(page, "the profile");
    await expectAccessible(page, `the profile, ${colorScheme}`);
  }

  await withCart(page, { [MUG]: 1 });
  await openCheckout(page, "/checkout");
  await expect(address(page)).toHaveValue("House 8, Khulna");
  await expect(phone(page)).toHaveValue(PHONE);
  await expect(page.getByLabel("First name")).toHaveValue("Rima");
  await page.getByLabel("Remembered addresses").selectOption({ index: 1 });
  await expect(address(page)).toHaveValue(ADDRESS);

  await page.goto(PROFILE);
  await addresses
    .first()
    .getByRole("button", { name: /^Remove/ })
    .click();
  await expectText(page, "The address is removed.");
  await expect(addresses).toHaveCount(1);
  await press(page, "Remove the photo");
  await expectText(page, "Your photo is gone.");
  await expect(shown).toHaveCount(0);
  await page.reload();
  await expect(header(page).getByText("Mina Das")).toBeVisible();
  await expect(shown).toHaveCount(0);
});

test("all data is downloaded, and then the account is deleted", { tag: "@database" }, async ({
  page,
  cli,
}) => {
  const email = newEmail();
  const token = await newCustomer(page, email);
  const { number } = await buy(page, token, { [MUG]: 1 });
  const headers = { authorization: `Bearer ${token}` };
  await page.request.post(`/api/orders/${number}/cancel`, { headers });
  await signInAs(page, email);
  const download = page.waitForEvent("download");
  await press(page, "Download my data");
  const file = await (await download).path();
  const data = JSON.parse(readFileSync(file, "utf8")) as Record<string, never>;
  expect(data.profile).toMatchObject({ email, name: "Mina Das" });
  expect(data.orders).toMatchObject([{ number, address: ADDRESS }]);

  await press(page, "Delete my account");
  await expect(dialog(page)).toContainText("This cannot be taken back.");
  await expectAccessible(page, "the last question");
  await dialog(page).getByLabel("Your password").fill("Wrong#123");
  await press(page, "Delete it for good");
  await expect(dialog(page).getByLabel("Your password")).toHaveAccessibleDescription(
    "That is not your password.",
  );
  await dialog(page).getByLabel("Your password").fill(PASSWORD);
  await press(page, "Delete it for good");
  await expectText(page, "Your account is deleted.");
  await expect(page).toHaveURL(/\/$/);
  await expect.poll(() => accessToken(page)).toBeNull();
  await logInWith(page, email, PASSWORD);
  await expectText(page, "That email and password do not match.");
  await expect
    .poll(() => cli("orders", "show", number))
    .toContain("the customer's data is deleted");
});
