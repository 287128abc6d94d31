// Signing in to an account with a second factor.
import type { Page } from "@playwright/test";
import { totp } from "../sdk/totp";
import {
  accessToken,
  actionLink,
  callIdentity,
  enrolApp,
  enrolPhone,
  textedCode,
  verifiedCustomer,
} from "./identity";
import { holdRequests, hydrated } from "./locators";
import { expect, test } from "./shop";

const PASSWORD = "Market#1";

// A wrong code is answered by 400.
test.use({ allowedErrors: [/\b400\b/] });

let people = 0;
const newEmail = () => `mina-${Date.now()}-${++people}@example.com`;

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const code = (page: Page) => page.getByLabel("Six-digit code");
const signInButton = (page: Page) => page.getByRole("button", { name: "Sign in" });
const sendButton = (page: Page) => page.getByRole("button", { name: "Send me a code" });
const wrong = (right: string) => String((Number(right) + 1) % 1_000_000).padStart(6, "0");

async function logIn(page: Page, email: string, address = "/login"): Promise<void> {
  await page.goto(address);
  await hydrated(page);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(heading(page)).toHaveText("One more step");
}

async function withApp(page: Page) {
  const email = newEmail();
  return { email, ...(await enrolApp(page, await verifiedCustomer(page, email, PASSWORD))) };
}

async function withPhone(page: Page) {
  const email = newEmail();
  return { email, ...(await enrolPhone(page, await verifiedCustomer(page, email, PASSWORD))) };
}

test("an app's code is asked for at once, and leads back", { tag: "@database" }, async ({
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
  await expect.poll(() => accessToken(page)).toBeNull();

  const right = totp(secret, 1);
  await page.keyboard.type(`${right.slice(0, 3)} ${right.slice(3)}`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/api\/docs$/);
  await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
  await expect.poll(() => accessToken(page)).not.toBeNull();
});

test("a wrong code is reported at the field, and the right one still works", async ({ page }) => {
  const { email, secret } = await withApp(page);
  await logIn(page, email);
  await signInButton(page).click();
  await expect(code(page)).toHaveAccessibleDescription("Please type the six digits.");
  await expect(code(page)).toBeFocused();

  await code(page).fill(wrong(totp(secret, 1)));
  await signInButton(page).click();
  await expect(code(page)).toHaveAccessibleDescription(/^That code is not right\./);
  await expect(code(page)).toHaveAttribute("aria-invalid", "true");
  await expect(code(page)).toBeFocused();
  await expect(page.locator("#announcer")).toHaveText(/^That code is not right\./);
  await expect.poll(() => accessToken(page)).toBeNull();

  // The typed code is selected, so that the next one replaces it.
  await page.keyboard.type(totp(secret, 1));
  await signInButton(page).click();
  await expect(page).toHaveURL(/\/$/);
  await expect.poll(() => accessToken(page)).not.toBeNull();
});

test("a phone gets a code on request, once per press", async ({ page }) => {
  const { email, phone } = await withPhone(page);
  let asked = 0;
  page.on("request", (request) => {
    if (/mfaSignIn:start/.test(request.url())) asked += 1;
  });
  const release = await holdRequests(page, "**/mfaSignIn:start*");
  await page.clock.install();
  await logIn(page, email);
  const masked = page.getByRole("main").getByText(/^We send a code to \+\*+\d{4}\.$/);
  await expect(masked).toContainText(`${phone.slice(-4)}.`);
  await expect(heading(page)).toBeFocused();
  await expect(code(page)).toHaveCount(0);
  await sendButton(page).click();
  await sendButton(page).dispatchEvent("click");
  await release();
  await page.clock.runFor(1_000);

  await expect(code(page)).toBeFocused();
  await expect(page.locator("#announcer")).toHaveText(/code is on its way to \+\*+\d{4}/);
  expect(asked).toBe(1);
  const first = await textedCode(page, phone, 2);

  // Another code can be requested after a pause, which invalidates the first.
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
    await signInButton(page).click();
    await expect(code(page)).toHaveAccessibleDescription(/^That code is not right\./);
  }
  await code(page).fill(second);
  await signInButton(page).click();
  await expect(page).toHaveURL(/\/$/);
  await expect.poll(() => accessToken(page)).not.toBeNull();
});

test("one of two factors is chosen, and another may be", async ({ page }) => {
  const email = newEmail();
  const idToken = await verifiedCustomer(page, email, PASSWORD);
  const withPhone = await enrolPhone(page, idToken);
  const { secret } = await enrolApp(page, withPhone.idToken);
  await logIn(page, email);
  await expect(heading(page)).toBeFocused();
  await expect(page.locator("#announcer")).toHaveText(/Where should it come from\?$/);
  const text = page.getByRole("button", { name: /^Text message to \+\*+\d{4} ?Pocket$/ });
  const app = page.getByRole("button", { name: /^Authenticator app ?Tablet$/ });

  // By keyboard.
  await page.keyboard.press("Tab");
  await expect(text.or(app).first()).toBeFocused();
  await text.focus();
  await page.keyboard.press("Enter");
  await expect(sendButton(page)).toBeVisible();
  await page.getByRole("button", { name: "Use another way" }).click();
  await app.click();
  await expect(code(page)).toBeFocused();
  await code(page).fill(totp(secret, 1));
  await signInButton(page).click();
  await expect(page).toHaveURL(/\/$/);
  await expect.poll(() => accessToken(page)).not.toBeNull();
});

test("Back shows the first step as it was", async ({ page }) => {
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

test("errors that end the second step say what to do next", async ({ page }) => {
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
  await signInButton(page).click();
  await expect(page.getByRole("alert")).toHaveText(/took too long. Please go back/);
  await signInButton(page).click();
  await expect(page.getByRole("alert")).toHaveText(/wait a few minutes/);
  await signInButton(page).click();
  await expect(code(page)).toHaveAccessibleDescription(/ask for a new one/);
});

test("an e-mail link requires the second step too, and continues", async ({ page, baseURL }) => {
  const { email, secret } = await withApp(page);
  const continueUrl = `${baseURL}/api/docs`;
  const request = { requestType: "EMAIL_SIGNIN", email, canHandleCodeInApp: true, continueUrl };
  await callIdentity(page, "v1/accounts:sendOobCode", request);
  await page.goto(await actionLink(page, email, "Your link to sign in"));
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(heading(page)).toHaveText("One more step");
  await expect(code(page)).toBeFocused();
  await code(page).fill(totp(secret, 1));
  await signInButton(page).click();
  await expect(page).toHaveURL(continueUrl);
  await expect.poll(() => accessToken(page)).not.toBeNull();
});
