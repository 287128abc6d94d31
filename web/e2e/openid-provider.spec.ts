// Google sign-in with a real OpenID Connect provider on another site, nothing faked, while the
// service worker controls the page.
import type { Page } from "@playwright/test";
import { accessToken, verifiedCustomer } from "./identity";
import { controlled, hydrated } from "./locators";
import { type OpenIdProvider, type Person, startProvider } from "./openid-provider";
import { testWithWorker as base, expect, openShop } from "./shop";

const PASSWORD = "Market#1";

const test = base.extend<object, { provider: OpenIdProvider }>({
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies here: none.
    async ({}, use) => {
      const provider = await startProvider();
      await use(provider);
      await provider.stop();
    },
    { scope: "worker" },
  ],

  shopUrl: [
    async ({ provider }, use) => {
      const shop = await openShop(...provider.settings);
      provider.admit(shop.url);
      await use(shop.url);
      await shop.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
});

let people = 0;

function newPerson(provider: OpenIdProvider, more: Partial<Person> = {}): Person {
  const sub = `person-${Date.now()}-${++people}`;
  const email = `${sub}@example.com`;
  const person = { sub, email, name: `Mina ${people}`, email_verified: true, ...more };
  provider.know(person);
  return person;
}

const header = (page: Page) => page.locator("header");
const alert = (page: Page) => page.getByRole("alert");

async function press(page: Page, button = "Google"): Promise<Page> {
  const opened = page.waitForEvent("popup");
  await page.getByRole("button", { name: button }).click();
  return await opened;
}

// Opens the provider's page.
async function openProviderPage(page: Page): Promise<Page> {
  await page.goto("/login");
  await hydrated(page);
  await controlled(page);
  const popup = await press(page);
  await popup.waitForURL(/^http:\/\/localhost:\d+\/asked\//);
  return popup;
}

async function signInThere(popup: Page, { email }: Person): Promise<void> {
  await popup.getByLabel("Email").fill(email);
  await popup.getByRole("button", { name: "Sign in" }).click();
  await expect(popup.getByRole("heading")).toHaveText("May the shop know who you are?");
}

// The last click, after which the popup closes.
async function finish(popup: Page, button: string): Promise<void> {
  const closed = popup.waitForEvent("close");
  await popup.getByRole("button", { name: button }).click();
  await closed;
}

async function signInWithProvider(page: Page, person: Person): Promise<void> {
  const popup = await openProviderPage(page);
  await signInThere(popup, person);
  await finish(popup, "Allow");
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(header(page).getByRole("link", { name: "Sign in" })).toBeVisible();
  await expect.poll(() => accessToken(page)).toBeNull();
}

type Claims = { sub?: string; email?: string };

// The subject of the shop's access token.
async function customer(page: Page): Promise<Claims> {
  await expect.poll(() => accessToken(page)).not.toBeNull();
  const [, claims = ""] = ((await accessToken(page)) ?? "").split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString()) as Claims;
}

test("a provider's sign-in makes an account, and signs in again", async ({ page, provider }) => {
  const person = newPerson(provider);
  const popup = await openProviderPage(page);
  expect(popup.viewportSize()).toEqual({ width: 500, height: 600 });
  // The other site's page knows that it has an opener, and nothing else.
  expect(await popup.evaluate(() => window.opener !== null)).toBe(true);
  await signInThere(popup, person);
  expect(await popup.evaluate(() => window.opener !== null)).toBe(true);
  await finish(popup, "Allow");

  await expect(page).toHaveURL(/\/$/);
  await expect(header(page).getByText(person.name)).toBeVisible();
  const first = await customer(page);
  expect(first.sub).toBeTruthy();
  await page.reload();
  await expect(header(page).getByText(person.name)).toBeVisible();
  await expect.poll(() => accessToken(page)).not.toBeNull();

  await logOut(page);
  // The provider remembers the session and the consent.
  await finish(await openProviderPage(page), `Continue as ${person.name}`);
  await expect(header(page).getByText(person.name)).toBeVisible();
  expect((await customer(page)).sub).toBe(first.sub);

  await logOut(page);
  await page.context().clearCookies();
  await signInWithProvider(page, person);
  await expect(header(page).getByText(person.name)).toBeVisible();
  expect((await customer(page)).sub).toBe(first.sub);
});

test("without consent nobody is signed in, and another try works", async ({ page, provider }) => {
  const person = newPerson(provider);
  const popup = await openProviderPage(page);
  await signInThere(popup, person);
  await finish(popup, "Deny");
  await expect(alert(page)).toHaveText("The sign-in was cancelled.");
  await expect.poll(() => accessToken(page)).toBeNull();

  const again = await press(page);
  await again.getByRole("button", { name: `Continue as ${person.name}` }).click();
  await finish(again, "Allow");
  await expect(page).toHaveURL(/\/$/);
  await expect(header(page).getByText(person.name)).toBeVisible();
});

test("a verified address that has an account is the same account", async ({ page, provider }) => {
  const person = newPerson(provider);
  await verifiedCustomer(page, person.email, PASSWORD);
  const withPassword = async () => {
    await page.goto("/login");
    await hydrated(page);
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page).toHaveURL(/\/$/);
    return (await customer(page)).sub;
  };
  const known = await withPassword();
  await logOut(page);
  await signInWithProvider(page, person);
  await expect(page).toHaveURL(/\/$/);
  expect((await customer(page)).sub).toBe(known);
  await logOut(page);
  // The other session is still valid.
  expect(await withPassword()).toBe(known);
});

test("an address that the provider has not verified opens no account", async ({
  page,
  provider,
}) => {
  const person = newPerson(provider, { email_verified: false });
  await verifiedCustomer(page, person.email, PASSWORD);
  await signInWithProvider(page, person);
  await expect(alert(page)).toHaveText(/already an account.*sign in the way you did before/);
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(() => accessToken(page)).toBeNull();
  // The sign-in is recent enough for sensitive actions.
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/$/);
});

test.describe("a provider that is down", () => {
  const MESSAGE = "The other service could not be reached. Please try again in a moment.";

  test("is reported where possible, and works when it is up again", async ({ page, provider }) => {
    const person = newPerson(provider);
    const popup = await openProviderPage(page);
    await signInThere(popup, person);
    provider.stopAt("/token");
    await finish(popup, "Allow");
    await expect(alert(page)).toHaveText(MESSAGE);
    await expect.poll(() => accessToken(page)).toBeNull();

    // The shop has cached the provider's metadata, so the browser reports the failure.
    const dead = await press(page);
    await dead.waitForURL("chrome-error://chromewebdata/");
    await expect(alert(page)).toHaveCount(0);
    await dead.close();
    await expect(alert(page)).toHaveText("The sign-in window was closed before it was done.");

    await provider.start();
    await finish(await press(page), `Continue as ${person.name}`);
    await expect(page).toHaveURL(/\/$/);
    await expect(header(page).getByText(person.name)).toBeVisible();
  });

  test("from the start is reported, and other sign-in methods work", async ({ page }) => {
    const provider = await startProvider();
    await provider.stop();
    const shop = await openShop(...provider.settings);
    try {
      await page.goto(`${shop.url}/login`);
      await hydrated(page);
      await controlled(page);
      await press(page);
      await expect(alert(page)).toHaveText(MESSAGE);
      await expect(page.getByRole("button", { name: "Google" })).toBeEnabled();
      // The demo's fake provider serves those that are not configured.
      const popup = await press(page, "Facebook");
      await expect(popup.getByRole("heading")).toHaveText("Not really Facebook");
      await popup.getByLabel("Name").fill("Mina Facebook");
      await popup.getByLabel("E-mail").fill("mina@example.com");
      await finish(popup, "Continue");
      await expect(page).toHaveURL(`${shop.url}/`);
      await expect(header(page).getByText("Mina Facebook")).toBeVisible();
    } finally {
      // A page that is still loading pictures would log errors.
      await page.goto("about:blank");
      await shop.stop();
    }
  });
});
