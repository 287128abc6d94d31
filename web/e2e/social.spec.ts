// Google and Facebook sign-in by the demo shop's fake provider, while the service worker controls
// the page.
import type { Page } from "@playwright/test";
import { accessToken } from "./identity";
import { controlled, hydrated } from "./locators";
import { expect, testWithWorker as test } from "./shop";

let people = 0;
const newEmail = () => `tara-${Date.now()}-${++people}@example.com`;

const header = (page: Page) => page.locator("header");

async function openWindow(page: Page, provider: string, address = "/login"): Promise<Page> {
  await page.goto(address);
  await hydrated(page);
  await controlled(page);
  const opened = page.waitForEvent("popup");
  await page.getByRole("button", { name: provider }).click();
  const popup = await opened;
  await popup.waitForURL("**/dev/provider/authorize?*");
  return popup;
}

// As a user of our choice.
async function signInAs(popup: Page, name: string, email: string): Promise<void> {
  await popup.getByLabel(/^name/i).fill(name);
  await popup.getByLabel(/^e-?mail/i).fill(email);
  const closed = popup.waitForEvent("close");
  await popup.getByRole("button", { name: "Continue" }).click();
  await closed;
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(header(page).getByRole("link", { name: "Sign in" })).toBeVisible();
  await expect.poll(() => accessToken(page)).toBeNull();
}

// The subject of the shop's access token.
async function subject(page: Page): Promise<unknown> {
  await expect.poll(() => accessToken(page)).not.toBeNull();
  const [, claims = ""] = ((await accessToken(page)) ?? "").split(".");
  return (JSON.parse(Buffer.from(claims, "base64url").toString()) as { sub?: unknown }).sub;
}

for (const provider of ["Google", "Facebook"]) {
  test(`${provider} makes an account, and signs in again`, async ({ page }) => {
    const email = newEmail();
    await signInAs(await openWindow(page, provider, "/register"), "Tara Sen", email);
    await expect(page).toHaveURL(/\/$/);
    await expect(header(page).getByText("Tara Sen")).toBeVisible();
    const first = await subject(page);
    expect(first).toBeTruthy();
    await page.reload();
    await expect(header(page).getByText("Tara Sen")).toBeVisible();

    await logOut(page);
    const popup = await openWindow(page, provider, "/login?from=%2Fapi%2Fdocs");
    await signInAs(popup, "Tara Sen", email);
    await expect(page).toHaveURL(/\/api\/docs$/);
    expect(await subject(page)).toBe(first);
  });
}

test("one of the fake provider's users signs in with a click", async ({ page }) => {
  const popup = await openWindow(page, "Google");
  const theirs = popup.getByRole("button").or(popup.getByRole("link")).filter({ hasText: "@" });
  await expect(theirs).toHaveCount(3);
  const closed = popup.waitForEvent("close");
  await theirs.first().click();
  await closed;
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
  await expect.poll(() => accessToken(page)).not.toBeNull();
});

test("a service worker of an earlier build, which requests the callback twice, does no harm", async ({
  page,
}) => {
  await page.goto("/login");
  await controlled(page);
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).navigationPreload.enable();
  });
  await signInAs(await openWindow(page, "Google"), "Tara Sen", newEmail());
  await expect(page).toHaveURL(/\/$/);
  await expect(header(page).getByText("Tara Sen")).toBeVisible();
});

test("a cancelled sign-in says so, and can be tried again", async ({ page }) => {
  const popup = await openWindow(page, "Google");
  const closed = popup.waitForEvent("close");
  await popup.getByRole("button", { name: "Cancel" }).click();
  await closed;
  await expect(page.getByRole("alert")).toHaveText("The sign-in was cancelled.");
  await expect(page).toHaveURL(/\/login$/);

  await signInAs(await openWindow(page, "Facebook"), "Tara Sen", newEmail());
  await expect(page).toHaveURL(/\/$/);
});

test("a closed window says so after two seconds", async ({ page }) => {
  const popup = await openWindow(page, "Google");
  const before = Date.now();
  await popup.close();
  await expect(page.getByRole("alert")).toHaveText(/window was closed before it was done/);
  expect(Date.now() - before).toBeGreaterThan(1_900);
  await expect.poll(() => accessToken(page)).toBeNull();
});

test.describe("an identity service that refuses", () => {
  test.use({ allowedErrors: [/\b400\b/] });

  async function refused(page: Page, answer: object, status = 200): Promise<void> {
    await page.route("**/accounts:signInWithIdp*", (route) =>
      route.fulfill({ status, json: answer }),
    );
    await signInAs(await openWindow(page, "Facebook"), "Tara Sen", newEmail());
  }

  test("because there is an account is explained", async ({ page }) => {
    await refused(page, { needConfirmation: true, verifiedProvider: ["password"] });
    await expect(page.getByRole("alert")).toHaveText(/sign in the way you did before/);
    await expect(page.getByLabel("Email")).toBeVisible();
  });

  test("without a second step asks for it", async ({ page }) => {
    const factor = { mfaEnrollmentId: "f", enrolledAt: new Date().toISOString(), totpInfo: {} };
    await refused(page, { localId: "x", mfaPendingCredential: "c", mfaInfo: [factor] });
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("One more step");
    await expect(page.getByLabel("Six-digit code")).toBeFocused();
    await page.getByRole("button", { name: "Back" }).click();
    await expect(page.getByRole("button", { name: "Facebook" })).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
  });

  test("a provider's error does not mention a password", async ({ page }) => {
    await refused(page, { error: { code: 400, message: "INVALID_IDP_RESPONSE" } }, 400);
    await expect(page.getByRole("alert")).toHaveText(/^Facebook did not confirm who you are/);
  });
});
