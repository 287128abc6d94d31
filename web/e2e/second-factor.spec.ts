// Signing in to an account that asks for a code too.
import type { Page } from "@playwright/test";
import { totp } from "../sdk/totp";
import { alive } from "./at";
import {
  accessToken,
  ask,
  confirmedCustomer,
  enrolApp,
  enrolPhone,
  link,
  textedCode,
} from "./identity";
import { expect, test } from "./shop";

const PASSWORD = "Market#1";

// A wrong code is answered by 400.
test.use({ tolerated: [/\b400\b/] });

let people = 0;
const newEmail = () => `mina-${Date.now()}-${++people}@example.com`;

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const code = (page: Page) => page.getByLabel("Six-digit code");
const enter = (page: Page) => page.getByRole("button", { name: "Sign in" });
const sendMe = (page: Page) => page.getByRole("button", { name: "Send me a code" });
const wrong = (right: string) => String((Number(right) + 1) % 1_000_000).padStart(6, "0");

async function logIn(page: Page, email: string, address = "/login"): Promise<void> {
  await page.goto(address);
  await alive(page);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(heading(page)).toHaveText("One more step");
}

async function withApp(page: Page) {
  const email = newEmail();
  return { email, ...(await enrolApp(page, await confirmedCustomer(page, email, PASSWORD))) };
}

async function withPhone(page: Page) {
  const email = newEmail();
  return { email, ...(await enrolPhone(page, await confirmedCustomer(page, email, PASSWORD))) };
}

test("an app's code is asked for at once, and leads where one was", { tag: "@database" }, async ({
  page,
}) => {
  const { email, secret } = await withApp(page);
  await logIn(page, email, "/login?from=%2Fapi%2Fdocs");
  await expect(page.getByRole("main").getByText("your authenticator app shows")).toBeVisible();
  await expect(code(page)).toBeFocused();
  await expect(code(page)).toHaveAttribute("inputmode", "numeric");
  await expect(code(page)).toHaveAttribute("autocomplete", "one-time-code");
  await expect(page.locator("#announcer")).toHaveText(/^One more step\. Type the code/);
  await expect(page.getByLabel("Password")).toBeHidden();
  await expect(page.getByRole("button", { name: "Google" })).toBeHidden();
  expect(await accessToken(page)).toBeNull();

  const right = totp(secret, 1);
  await page.keyboard.type(`${right.slice(0, 3)} ${right.slice(3)}`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/api\/docs$/);
  await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
  expect(await accessToken(page)).not.toBeNull();
});

test("a wrong code is said under the field, and the right one still counts", async ({ page }) => {
  const { email, secret } = await withApp(page);
  await logIn(page, email);
  await enter(page).click();
  await expect(code(page)).toHaveAccessibleDescription("Please type the six digits.");
  await expect(code(page)).toBeFocused();

  await code(page).fill(wrong(totp(secret, 1)));
  await enter(page).click();
  await expect(code(page)).toHaveAccessibleDescription(/^That code is not right\./);
  await expect(code(page)).toHaveAttribute("aria-invalid", "true");
  await expect(code(page)).toBeFocused();
  await expect(page.locator("#announcer")).toHaveText(/^That code is not right\./);
  expect(await accessToken(page)).toBeNull();

  // What was typed is selected, so that the next code takes its place.
  await page.keyboard.type(totp(secret, 1));
  await enter(page).click();
  await expect(page).toHaveURL(/\/$/);
  await expect.poll(() => accessToken(page)).not.toBeNull();
});

test("a phone gets its code when asked, once a press", async ({ page }) => {
  const { email, phone } = await withPhone(page);
  let asked = 0;
  await page.route("**/mfaSignIn:start*", async (route) => {
    asked += 1;
    await new Promise((done) => setTimeout(done, 300));
    await route.fallback();
  });
  await page.clock.install();
  await logIn(page, email);
  const masked = page.getByRole("main").getByText(/^We send a code to \+\*+\d{4}\.$/);
  await expect(masked).toContainText(`${phone.slice(-4)}.`);
  await expect(heading(page)).toBeFocused();
  await expect(code(page)).toHaveCount(0);
  await sendMe(page).click();
  await sendMe(page).dispatchEvent("click");
  await page.clock.runFor(1_000);

  await expect(code(page)).toBeFocused();
  await expect(page.locator("#announcer")).toHaveText(/code is on its way to \+\*+\d{4}/);
  expect(asked).toBe(1);
  const first = await textedCode(page, phone, 2);

  // Another may be asked for after a pause; then the first is worth nothing.
  const again = page.getByRole("button", { name: "Send me a new code" });
  await expect(again).toHaveCount(0);
  await page.clock.runFor(30_000);
  await again.click();
  await expect(page.getByRole("main").getByText("A new code is on its way")).toBeVisible();
  await expect(again).toHaveCount(0);
  const second = await textedCode(page, phone, 3);
  expect(asked).toBe(2);
  if (first !== second) {
    await code(page).fill(first);
    await enter(page).click();
    await expect(code(page)).toHaveAccessibleDescription(/^That code is not right\./);
  }
  await code(page).fill(second);
  await enter(page).click();
  await expect(page).toHaveURL(/\/$/);
  await expect.poll(() => accessToken(page)).not.toBeNull();
});

test("of two factors one is chosen, and another may be", async ({ page }) => {
  const email = newEmail();
  const idToken = await confirmedCustomer(page, email, PASSWORD);
  const withPhone = await enrolPhone(page, idToken);
  const { secret } = await enrolApp(page, withPhone.idToken);
  await logIn(page, email);
  await expect(heading(page)).toBeFocused();
  await expect(page.locator("#announcer")).toHaveText(/Where should it come from\?$/);
  const text = page.getByRole("button", { name: /^Text message to \+\*+\d{4} ?Pocket$/ });
  const app = page.getByRole("button", { name: /^Authenticator app ?Tablet$/ });

  // By the keyboard alone.
  await page.keyboard.press("Tab");
  await expect(text.or(app).first()).toBeFocused();
  await text.focus();
  await page.keyboard.press("Enter");
  await expect(sendMe(page)).toBeVisible();
  await page.getByRole("button", { name: "Use another way" }).click();
  await app.click();
  await expect(code(page)).toBeFocused();
  await code(page).fill(totp(secret, 1));
  await enter(page).click();
  await expect(page).toHaveURL(/\/$/);
  await expect.poll(() => accessToken(page)).not.toBeNull();
});

test("back is the first step, as it was left", async ({ page }) => {
  const { email } = await withApp(page);
  await logIn(page, email);
  await page.getByRole("button", { name: "Back" }).click();
  await expect(heading(page)).toHaveText("Welcome back");
  await expect(heading(page)).toBeFocused();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(code(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(code(page)).toBeFocused();
});

test("what ends the second step says the way on", async ({ page }) => {
  const { email } = await withApp(page);
  const answers = [
    "INVALID_MFA_PENDING_CREDENTIAL",
    "TOO_MANY_ATTEMPTS_TRY_LATER",
    "SESSION_EXPIRED",
  ];
  await page.route("**/mfaSignIn:finalize*", (route) =>
    route.fulfill({ status: 400, json: { error: { code: 400, message: answers.shift() } } }),
  );
  await logIn(page, email);
  await code(page).fill("123456");
  await enter(page).click();
  await expect(page.getByRole("alert")).toHaveText(/took too long. Please go back/);
  await enter(page).click();
  await expect(page.getByRole("alert")).toHaveText(/wait a few minutes/);
  await enter(page).click();
  await expect(code(page)).toHaveAccessibleDescription(/ask for a new one/);
});

test("a letter's link wants the second step too, and goes on", async ({ page, baseURL }) => {
  const { email, secret } = await withApp(page);
  const continueUrl = `${baseURL}/api/docs`;
  const request = { requestType: "EMAIL_SIGNIN", email, canHandleCodeInApp: true, continueUrl };
  await ask(page, "v1/accounts:sendOobCode", request);
  await page.goto(await link(page, email, "Your link to sign in"));
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(heading(page)).toHaveText("One more step");
  await expect(code(page)).toBeFocused();
  await code(page).fill(totp(secret, 1));
  await enter(page).click();
  await expect(page).toHaveURL(continueUrl);
  await expect.poll(() => accessToken(page)).not.toBeNull();
});
