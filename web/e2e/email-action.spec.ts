// E-mail action links, from real e-mails.
import type { Page } from "@playwright/test";
import { accessToken, actionLink, callIdentity, emailsTo } from "./identity";
import { hydrated } from "./locators";
import { expect, test } from "./shop";

const PASSWORD = "Market#1";
const NEW_PASSWORD = "Bazaar#22";

// A used or malformed code, a wrong password and an ended session are answered by 400.
test.use({ allowedErrors: [/\b400\b/] });

let people = 0;
const newEmail = () => `kabir-${Date.now()}-${++people}@example.com`;

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

async function register(page: Page, email: string): Promise<void> {
  await page.goto("/register");
  await hydrated(page);
  await page.getByLabel("Name").fill("Kabir Das");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page).toHaveURL(/\/$/);
}

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/login");
  await hydrated(page);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page.locator("header").getByRole("link", { name: "Sign in" })).toBeVisible();
}

async function requestReset(page: Page, email: string): Promise<void> {
  await page.goto("/login");
  await hydrated(page);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Forgot your password?" }).click();
  await page.getByRole("button", { name: "Send me a link" }).click();
  await expect(page.getByText("an e-mail is on its way")).toBeVisible();
}

test("an address is verified once", async ({ page }) => {
  const email = newEmail();
  await register(page, email);
  const actionUrl = await actionLink(page, email, "Confirm your e-mail address");

  await page.goto(actionUrl);
  await expect(heading(page)).toHaveText("Your address is confirmed.");
  await expect(heading(page)).toBeFocused();
  await expect(page.locator("header, footer")).toHaveCount(0);

  await page.reload();
  await expect(heading(page)).toHaveText("This link does not work any more.");
  await expect(page.getByText("It was used before")).toBeVisible();
  // The signed-in user is refreshed.
  await expect(page.getByText(`${email} is confirmed`)).toBeVisible();
  await page.getByRole("link", { name: "Continue shopping" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.locator("header").getByText("Kabir Das")).toBeVisible();
});

test("a failed verification offers a new e-mail", async ({ page }) => {
  const email = newEmail();
  await register(page, email);
  const subject = "Confirm your e-mail address";
  const actionUrl = await actionLink(page, email, subject);
  await logOut(page);

  await page.goto(actionUrl.replace(/oobCode=./, "oobCode=_-"));
  await expect(heading(page)).toHaveText("This link does not work any more.");
  await page.getByRole("link", { name: "Sign in" }).click();
  // The code is sent only to the identity service.
  await expect(page).toHaveURL(/\/login\?from=%2Fauth%2Faction%3Fmode%3DverifyEmail$/);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(heading(page)).toHaveText("Confirm your address");
  await page.getByRole("button", { name: "Send me a new e-mail" }).click();
  await expect(page.getByText(`on its way to ${email}`)).toBeVisible();
  await expect.poll(async () => (await emailsTo(page, email, subject)).length).toBe(2);

  await page.goto(await actionLink(page, email, subject));
  await expect(heading(page)).toHaveText("Your address is confirmed.");
});

test("a forgotten password is replaced, and the old one is refused", async ({ page }) => {
  const email = newEmail();
  await register(page, email);
  await logOut(page);
  await requestReset(page, email);
  const actionUrl = await actionLink(page, email, "Choose a new password");

  // Checking does not use it up.
  for (const _ of [1, 2]) {
    await page.goto(actionUrl);
    await expect(heading(page)).toHaveText("Choose a new password");
    await expect(page.getByText(`For ${email}`)).toBeVisible();
  }
  const password = page.getByLabel("New password");
  const change = page.getByRole("button", { name: "Change my password" });
  await change.click();
  await expect(password).toHaveAccessibleDescription(/^Password is required/);
  await password.fill("bazaarbazaar");
  await expect(
    page.getByText("Password must have uppercase, number and special characters"),
  ).toBeVisible();
  await password.fill(NEW_PASSWORD);
  await expect(page.getByRole("listitem").filter({ hasText: ": met" })).toHaveCount(4);
  await change.click();
  await expect(heading(page)).toHaveText("Your password is changed.");

  await page.getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("That email and password do not match.")).toBeVisible();
  await page.getByLabel("Password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.locator("header").getByText("Kabir Das")).toBeVisible();

  await page.goto(actionUrl);
  await expect(heading(page)).toHaveText("This link does not work any more.");
  await page.getByLabel("Email for the link").fill(email);
  await page.getByRole("button", { name: "Send me a link" }).click();
  await expect(page.getByText("an e-mail is on its way")).toBeVisible();
});

test("a new password ends the session here too", async ({ page }) => {
  const email = newEmail();
  await register(page, email);
  await expect.poll(() => accessToken(page)).not.toBeNull();
  await callIdentity(page, "v1/accounts:sendOobCode", { requestType: "PASSWORD_RESET", email });
  await page.goto(await actionLink(page, email, "Choose a new password"));
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Change my password" }).click();
  await expect(heading(page)).toHaveText("Your password is changed.");
  await expect.poll(() => accessToken(page)).toBeNull();
  await page.getByRole("link", { name: "Sign in" }).click();
  await expect(heading(page)).toHaveText("Welcome back");
});

test("a reset for an unknown address sends no e-mail", async ({ page }) => {
  const [stranger, known] = [newEmail(), newEmail()];
  await register(page, known);
  await logOut(page);
  await requestReset(page, stranger);
  await requestReset(page, known);
  // E-mails go out in order: one for the unknown address would be here by now.
  await actionLink(page, known, "Choose a new password");
  expect(await emailsTo(page, stranger, "Choose a new password")).toEqual([]);
});

test("an address is changed, and the change undone", async ({ page }) => {
  const [old, wanted] = [newEmail(), newEmail()];
  await register(page, old);
  const credentials = { email: old, password: PASSWORD, returnSecureToken: true };
  const { idToken } = await callIdentity(page, "v1/accounts:signInWithPassword", credentials);
  const change = { requestType: "VERIFY_AND_CHANGE_EMAIL", idToken, newEmail: wanted };
  await callIdentity(page, "v1/accounts:sendOobCode", change);

  const actionUrl = await actionLink(page, wanted, "Confirm your new e-mail address");
  // A link with another mode does nothing.
  for (const mode of ["verifyEmail", "recoverEmail", "resetPassword"]) {
    await page.goto(actionUrl.replace("mode=verifyAndChangeEmail", `mode=${mode}`));
    await expect(heading(page)).toHaveText("This link does not work any more.");
  }
  await page.goto(actionUrl);
  await expect(page.getByRole("definition")).toHaveText([old, wanted]);
  await page.getByRole("button", { name: "Confirm the change" }).click();
  await expect(heading(page)).toHaveText("Your address is changed.");
  await logIn(page, wanted, PASSWORD);
  await expect(page).toHaveURL(/\/$/);

  await page.goto(await actionLink(page, old, "Your e-mail address was changed"));
  await page.getByRole("button", { name: "Undo the change" }).click();
  await expect(heading(page)).toHaveText("The change is undone.");
  // The old password is removed; an e-mail offers a new one.
  await page.goto(await actionLink(page, old, "Choose a new password"));
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Change my password" }).click();
  await expect(heading(page)).toHaveText("Your password is changed.");
  await logIn(page, old, NEW_PASSWORD);
  await expect(page).toHaveURL(/\/$/);
  await expect(page.locator("header").getByText("Kabir Das")).toBeVisible();
});

test("a link signs in whoever knows its address, and continues", async ({ page, baseURL }) => {
  const email = newEmail();
  const continueUrl = `${baseURL}/api/docs`;
  const request = { requestType: "EMAIL_SIGNIN", email, canHandleCodeInApp: true, continueUrl };
  await callIdentity(page, "v1/accounts:sendOobCode", request);
  const actionUrl = await actionLink(page, email, "Your link to sign in");

  await page.goto(actionUrl);
  const field = page.getByLabel("Email");
  await field.fill("somebody-else@example.com");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(field).toHaveAccessibleDescription("This link was sent to another address.");
  await field.fill(email);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(continueUrl);
  await expect.poll(() => accessToken(page)).not.toBeNull();

  await page.goto(actionUrl);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(heading(page)).toHaveText("This link does not work any more.");
});

test("a browser that requested the link does not ask for the address", async ({ page }) => {
  const email = newEmail();
  await page.goto("/login");
  await page.evaluate((email) => localStorage.setItem("emailForSignIn", email), email);
  await callIdentity(page, "v1/accounts:sendOobCode", { requestType: "EMAIL_SIGNIN", email });
  await page.goto(await actionLink(page, email, "Your link to sign in"));
  await expect(page.getByText(`As ${email}`)).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveCount(0);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
  const asked = () => page.evaluate(() => localStorage.getItem("emailForSignIn"));
  await expect.poll(asked).toBeNull();
});

test("a mangled or cut link says so, and its code is not leaked", async ({ page, baseURL }) => {
  const told: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(`${baseURL}/`)) told.push(request.url());
    if (request.url().includes("nothing-of-ours") && !request.isNavigationRequest()) {
      told.push(request.url());
    }
    // The document's own files are requested before its meta element is read, and the SDK sets its
    // own referrer policy; both go to the shop itself.
    const { referer = "" } = request.headers();
    if (referer.includes("nothing-of-ours") && /image|other/.test(request.resourceType())) {
      told.push(request.url());
    }
  });
  await page.goto("/auth/action?mode=resetPassword&oobCode=nothing-of-ours&apiKey=haat");
  await expect(heading(page)).toHaveText("This link does not work any more.");
  expect(told).toEqual([]);

  for (const query of ["", "?mode=resetPassword", "?mode=dance&oobCode=x", "?oobCode=%3Cb%3E"]) {
    await page.goto(`/auth/action${query}`);
    await expect(heading(page)).toHaveText("This link is not complete.");
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the page says that it needs JavaScript, and is not indexed", async ({ page }) => {
    await page.goto("/auth/action?mode=verifyEmail&oobCode=x");
    await expect(heading(page)).toHaveText("One moment…");
    await expect(page.getByText("This page needs JavaScript.")).toBeVisible();
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
    await expect(page.locator('meta[name="referrer"]')).toHaveAttribute("content", "no-referrer");
    await expect(page.locator('link[rel="canonical"]')).toHaveCount(0);
  });
});
