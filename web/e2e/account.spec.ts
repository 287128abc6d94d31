// Registration, sign-in and sign-out, with the official SDK against the shop's own identity
// service.
import type { Page } from "@playwright/test";
import { firstProduct, holdRequests, hydrated, isMarked, markWindow } from "./locators";
import { expect, test } from "./shop";

const PASSWORD = "Market#1";

let people = 0;
const newEmail = () => `nila-${Date.now()}-${++people}@example.com`;

const header = (page: Page) => page.locator("header");
const accessToken = (page: Page) => page.evaluate(() => localStorage.getItem("accessToken"));

async function register(page: Page, email: string, name = "Nila Rahman"): Promise<void> {
  await page.goto("/register");
  await hydrated(page);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByText("User Created Successfully.")).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await expect(header(page).getByText(name)).toBeVisible();
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(header(page).getByRole("link", { name: "Sign in" })).toBeVisible();
}

test.describe("an account", () => {
  // The refused sign-in is a 400, which the browser logs.
  test.use({ allowedErrors: [/\b400\b/] });

  test("is registered, kept over a reload, signed out and signed in again where the visitor was", {
    tag: "@database",
  }, async ({ page }) => {
    const email = newEmail();
    await register(page, email);
    await expect.poll(() => accessToken(page)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]*$/);

    await page.reload();
    await expect(header(page).getByText("Nila Rahman")).toBeVisible();
    await expect(header(page).getByRole("link", { name: "Register" })).toBeHidden();

    await logOut(page);
    await expect.poll(() => accessToken(page)).toBeNull();

    await firstProduct(page).click();
    await expect(page).toHaveURL(/\/product\//);
    const product = page.url();
    await markWindow(page);
    await header(page).getByRole("link", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/login\?from=%2Fproduct%2F/);
    await expect(header(page)).toHaveCount(0);
    await expect(page.locator("footer")).toHaveCount(0);

    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("Wrong#123");
    await page.getByRole("button", { name: "Continue" }).click();
    const password = page.getByLabel("Password");
    await expect(password).toHaveAccessibleDescription("That email and password do not match.");
    await expect(password).toHaveAttribute("aria-invalid", "true");
    await expect(password).toBeFocused();

    await password.fill(PASSWORD);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page).toHaveURL(product);
    await expect(header(page).getByText("Nila Rahman")).toBeVisible();
    await expect.poll(() => accessToken(page)).not.toBeNull();
    expect(await isMarked(page)).toBe(true);

    // The form is not in the history: Back leads to the page before it.
    await page.goBack();
    await expect(page).toHaveURL(product);
    await page.goBack();
    await expect(page).toHaveURL(/\/$/);
  });

  test("that exists already is reported at its address", async ({ page }) => {
    const email = newEmail();
    await register(page, email);
    await logOut(page);
    for (const address of ["/register", "/signup"]) {
      await page.goto(address);
      await hydrated(page);
      await page.getByLabel("Name").fill("Somebody Else");
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: /^(Register|Sign up)$/ }).click();
      await expect(page.getByLabel("Email")).toHaveAccessibleDescription(/already an account/);
      await expect(page.getByLabel("Email")).toBeFocused();
    }
  });
});

test("a signed-in customer is not asked to sign in", async ({ page }) => {
  await register(page, newEmail());
  await page.goto("/login?from=%2Fapi%2Fdocs");
  await expect(page).toHaveURL(/\/api\/docs$/);
  await page.goto("/register");
  await expect(page).toHaveURL(/\/$/);
});

test("signing out in one tab signs out in the other", async ({ page, context }) => {
  await register(page, newEmail());
  const other = await context.newPage();
  await other.goto(new URL("/", page.url()).href);
  await expect(header(other).getByText("Nila Rahman")).toBeVisible();
  await logOut(page);
  await expect(header(other).getByRole("link", { name: "Sign in" })).toBeVisible();
});

test("missing or wrong input is reported at its field, until it is fixed", async ({ page }) => {
  await page.goto("/register");
  await hydrated(page);
  await page.getByRole("button", { name: "Register" }).click();
  const name = page.getByLabel("Name");
  const email = page.getByLabel("Email");
  const password = page.getByLabel("Password");
  await expect(name).toBeFocused();
  await expect(page.getByText("Name is Required")).toBeVisible();
  await expect(page.getByText("Email is required")).toBeVisible();
  await expect(page.getByText("Password is required")).toBeVisible();
  await expect(name).toHaveAccessibleDescription("Name is Required");

  await name.fill("Nila");
  await expect(page.getByText("Name is Required")).toBeHidden();
  await expect(name).toHaveAttribute("aria-invalid", "false");
  await email.fill("nila@");
  await expect(email).toHaveAccessibleDescription(/^Please write the whole address/);
  await password.fill("Aa1!xxx");
  await expect(page.getByText("Password must be 8 characters long")).toBeVisible();
  await password.fill("aaaaaa1!");
  await expect(
    page.getByText("Password must have uppercase, number and special characters"),
  ).toBeVisible();
  await password.fill(PASSWORD);
  await expect(page.getByRole("listitem").filter({ hasText: ": met" })).toHaveCount(4);

  await page.goto("/login");
  await hydrated(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Password is required")).toBeVisible();
  await expect(page.getByLabel("Email")).toBeFocused();
});

test("the forms work by keyboard", async ({ page }) => {
  await page.goto("/signup");
  await hydrated(page);
  await page.getByLabel("Name").focus();
  await page.keyboard.type("Kabir");
  await page.keyboard.press("Tab");
  await page.keyboard.type(newEmail());
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Show password" })).toBeFocused();
  await page.keyboard.press("Space");
  await expect(page.getByLabel("Password")).toHaveAttribute("type", "text");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Sign up" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/$/);
  await expect(header(page).getByText("Kabir")).toBeVisible();
  await page.getByRole("button", { name: "Log out" }).focus();
  await page.keyboard.press("Enter");
  await expect(header(page).getByRole("link", { name: "Register" })).toBeVisible();
});

test("a form is submitted once, however often it is pressed", async ({ page }) => {
  let asked = 0;
  page.on("request", (request) => {
    if (/accounts:signUp/.test(request.url())) asked += 1;
  });
  const release = await holdRequests(page, "**/accounts:signUp*");
  await page.goto("/register");
  await hydrated(page);
  await page.getByLabel("Name").fill("Nila");
  await page.getByLabel("Email").fill(newEmail());
  await page.getByLabel("Password").fill(PASSWORD);
  const button = page.getByRole("button", { name: "Register" });
  await button.click();
  await expect(button).toHaveAttribute("aria-busy", "true");
  await page.getByLabel("Password").press("Enter");
  await button.dispatchEvent("click");
  await release();
  await expect(page).toHaveURL(/\/$/);
  expect(asked).toBe(1);
});

test("a forgotten password has the same answer for everybody", async ({ page }) => {
  // Google's emulator, and a service that reveals accounts, answer 400 for an unknown address.
  await page.route("**/accounts:sendOobCode*", (route) => route.fulfill({ json: {} }));
  await page.goto("/login");
  await hydrated(page);
  await page.getByLabel("Email").fill("stranger@example.com");
  await page.getByRole("button", { name: "Forgot your password?" }).click();
  await expect(page.getByLabel("Email for the link")).toHaveValue("stranger@example.com");
  await page.getByRole("button", { name: "Send me a link" }).click();
  await expect(
    page.getByText("If there is an account for that address, an e-mail is on its way."),
  ).toBeVisible();
});

test("registering on the way to the checkout continues there", async ({ page }) => {
  await page.goto("/login?from=%2Fcart%3Fstep%3Dcheckout");
  await hydrated(page);
  await page.getByRole("link", { name: "Register Now" }).click();
  await expect(page).toHaveURL(/\/register\?from=%2Fcart%3Fstep%3Dcheckout$/);
  await page.getByLabel("Name").fill("Nila Rahman");
  await page.getByLabel("Email").fill(newEmail());
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page).toHaveURL(/\/cart\?step=checkout$/);
});

test("a hostile `from` leads home", async ({ page }) => {
  await register(page, newEmail());
  await page.goto("/login?from=https%3A%2F%2Fexample.org%2F");
  await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/$/);
});

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
}

// Opens the provider's window with `script` in it, which knows the `state`.
async function openPopup(page: Page, script: string) {
  await page.context().route("**/auth/start?*", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<title>Provider</title><script>
        const state = new URLSearchParams(location.search).get("state");
        const send = (rest) => opener.postMessage({ type: "haat:auth", ...rest }, location.origin);
        ${script}
      </script>`,
    }),
  );
  const opened = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Google" }).click();
  const popup = await opened;
  const asked = new URL(popup.url()).searchParams;
  expect(asked.get("provider")).toBe("google.com");
  expect(asked.get("state")).toMatch(/^[\da-f]{32}$/);
  return popup;
}

test.describe("with Google", () => {
  test("a closed window is noticed", async ({ page }) => {
    await open(page, "/login");
    const popup = await openPopup(page, "");
    await popup.close();
    await expect(page.getByRole("alert")).toHaveText(/window was closed/);
  });

  test("a refusal is shown, and a message with another state is ignored", async ({ page }) => {
    await open(page, "/signup");
    await openPopup(
      page,
      'send({ state: "forged", code: "forged" }); send({ state, error: "access_denied" });',
    );
    await expect(page.getByRole("alert")).toHaveText("The sign-in was cancelled.");
  });

  test("a blocked window is reported", async ({ page }) => {
    await open(page, "/login");
    await page.evaluate(() => Object.assign(window, { open: () => null }));
    await page.getByRole("button", { name: "Google" }).click();
    await expect(page.getByRole("alert")).toHaveText(/kept the sign-in window closed/);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  for (const address of ["/login", "/register", "/signup"]) {
    test(`${address} can be read and says that it needs JavaScript`, async ({ page }) => {
      await page.goto(address);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByText("Signing in needs JavaScript.")).toBeVisible();
      await expect(page.getByLabel("Email")).toBeVisible();
      await expect(
        page.locator("main form[method=post] button[type=submit]").last(),
      ).toBeDisabled();
    });
  }

  test("the header links to both", async ({ page }) => {
    await page.goto("/");
    await header(page).getByRole("link", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/login$/);
    await page.getByRole("link", { name: "Register Now" }).click();
    await expect(page).toHaveURL(/\/register$/);
    await page.getByRole("link", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/login$/);
  });
});
