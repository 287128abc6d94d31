// Signing in with Google's button, all the way to a real OpenID Connect provider of another site
// and back, with nothing played by us, while the service worker is in charge of the page.
import type { Page } from "@playwright/test";
import { alive, controlled } from "./at";
import { accessToken, confirmedCustomer } from "./identity";
import { type Person, type RealProvider, realProvider } from "./provider";
import { testWithWorker as base, expect, openShop } from "./shop";

const PASSWORD = "Market#1";

const test = base.extend<object, { provider: RealProvider }>({
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads here what is wanted: nothing.
    async ({}, use) => {
      const provider = await realProvider();
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
    { scope: "worker", timeout: 60_000 },
  ],
});

let people = 0;

function newPerson(provider: RealProvider, more: Partial<Person> = {}): Person {
  const sub = `person-${Date.now()}-${++people}`;
  const email = `${sub}@example.com`;
  const person = { sub, email, name: `Mina ${people}`, email_verified: true, ...more };
  provider.know(person);
  return person;
}

const header = (page: Page) => page.locator("header");
const fault = (page: Page) => page.getByRole("alert");

async function press(page: Page, button = "Google"): Promise<Page> {
  const opened = page.waitForEvent("popup");
  await page.getByRole("button", { name: button }).click();
  return await opened;
}

// To the provider's page.
async function setOut(page: Page): Promise<Page> {
  await page.goto("/login");
  await alive(page);
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

// The last click, after which the window has nothing left to do.
async function end(popup: Page, button: string): Promise<void> {
  const closed = popup.waitForEvent("close");
  await popup.getByRole("button", { name: button }).click();
  await closed;
}

async function comeIn(page: Page, person: Person): Promise<void> {
  const popup = await setOut(page);
  await signInThere(popup, person);
  await end(popup, "Allow");
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(header(page).getByRole("link", { name: "Sign in" })).toBeVisible();
  expect(await accessToken(page)).toBeNull();
}

type Claims = { sub?: string; email?: string };

// Whom the shop's own token is about.
async function customer(page: Page): Promise<Claims> {
  await expect.poll(() => accessToken(page)).not.toBeNull();
  const [, claims = ""] = ((await accessToken(page)) ?? "").split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString()) as Claims;
}

test("a provider's word makes an account, and is the way back into it", async ({
  page,
  provider,
}) => {
  const person = newPerson(provider);
  const popup = await setOut(page);
  expect(popup.viewportSize()).toEqual({ width: 500, height: 600 });
  // The other site's page knows that there is one which opened it, and no more of it.
  expect(await popup.evaluate(() => window.opener !== null)).toBe(true);
  await signInThere(popup, person);
  expect(await popup.evaluate(() => window.opener !== null)).toBe(true);
  await end(popup, "Allow");

  await expect(page).toHaveURL(/\/$/);
  await expect(header(page).getByText(person.name)).toBeVisible();
  const first = await customer(page);
  expect(first.sub).toBeTruthy();
  await page.reload();
  await expect(header(page).getByText(person.name)).toBeVisible();
  expect(await accessToken(page)).not.toBeNull();

  await logOut(page);
  // The provider remembers both who it is and what was allowed.
  await end(await setOut(page), `Continue as ${person.name}`);
  await expect(header(page).getByText(person.name)).toBeVisible();
  expect((await customer(page)).sub).toBe(first.sub);

  await logOut(page);
  await page.context().clearCookies();
  await comeIn(page, person);
  await expect(header(page).getByText(person.name)).toBeVisible();
  expect((await customer(page)).sub).toBe(first.sub);
});

test("whoever does not consent is not signed in, and may change their mind", async ({
  page,
  provider,
}) => {
  const person = newPerson(provider);
  const popup = await setOut(page);
  await signInThere(popup, person);
  await end(popup, "Deny");
  await expect(fault(page)).toHaveText("The sign-in was cancelled.");
  expect(await accessToken(page)).toBeNull();

  const again = await press(page);
  await again.getByRole("button", { name: `Continue as ${person.name}` }).click();
  await end(again, "Allow");
  await expect(page).toHaveURL(/\/$/);
  await expect(header(page).getByText(person.name)).toBeVisible();
});

test("a confirmed address that has an account is the same account", async ({ page, provider }) => {
  const person = newPerson(provider);
  await confirmedCustomer(page, person.email, PASSWORD);
  const withPassword = async () => {
    await page.goto("/login");
    await alive(page);
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page).toHaveURL(/\/$/);
    return (await customer(page)).sub;
  };
  const known = await withPassword();
  await logOut(page);
  await comeIn(page, person);
  await expect(page).toHaveURL(/\/$/);
  expect((await customer(page)).sub).toBe(known);
  await logOut(page);
  // Nobody was thrown out of it.
  expect(await withPassword()).toBe(known);
});

test("an address that the provider has not confirmed opens nobody's account", async ({
  page,
  provider,
}) => {
  const person = newPerson(provider, { email_verified: false });
  await confirmedCustomer(page, person.email, PASSWORD);
  await comeIn(page, person);
  await expect(fault(page)).toHaveText(/already an account.*sign in the way you did before/);
  await expect(page).toHaveURL(/\/login$/);
  expect(await accessToken(page)).toBeNull();
  // What is asked for can be done at once.
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(/\/$/);
});

test.describe("a provider that is down", () => {
  const WORDS = "The other service could not be reached. Please try again in a moment.";

  test("says so where it can, and works when it is up again", async ({ page, provider }) => {
    const person = newPerson(provider);
    const popup = await setOut(page);
    await signInThere(popup, person);
    provider.stopAt("/token");
    await end(popup, "Allow");
    await expect(fault(page)).toHaveText(WORDS);
    expect(await accessToken(page)).toBeNull();

    // The shop remembers the way there, so it is the browser that says it now.
    const dead = await press(page);
    await dead.waitForURL("chrome-error://chromewebdata/");
    await expect(fault(page)).toHaveCount(0);
    await dead.close();
    await expect(fault(page)).toHaveText("The sign-in window was closed before it was done.");

    await provider.start();
    await end(await press(page), `Continue as ${person.name}`);
    await expect(page).toHaveURL(/\/$/);
    await expect(header(page).getByText(person.name)).toBeVisible();
  });

  test("from the first says so, and the other ways in are open", async ({ page }) => {
    const provider = await realProvider();
    await provider.stop();
    const shop = await openShop(...provider.settings);
    try {
      await page.goto(`${shop.url}/login`);
      await alive(page);
      await controlled(page);
      await press(page);
      await expect(fault(page)).toHaveText(WORDS);
      await expect(page.getByRole("button", { name: "Google" })).toBeEnabled();
      // The demo's stand-in plays whom it is not told to leave to others.
      const popup = await press(page, "Facebook");
      await expect(popup.getByRole("heading")).toHaveText("Not really Facebook");
      await popup.getByLabel("Name").fill("Mina Facebook");
      await popup.getByLabel("E-mail").fill("mina@example.com");
      await end(popup, "Continue");
      await expect(page).toHaveURL(`${shop.url}/`);
      await expect(header(page).getByText("Mina Facebook")).toBeVisible();
    } finally {
      // A page that still loads pictures would complain.
      await page.goto("about:blank");
      await shop.stop();
    }
  });
});
