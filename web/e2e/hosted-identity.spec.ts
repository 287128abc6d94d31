// A shop with a hosted identity project. A second server of ours, independent of the shop, stands
// in for Google's.
import type { Page } from "@playwright/test";
import type { ServerInfo } from "../sdk/environment";
import { inbox } from "../sdk/inbox";
import { clientCall, unsigned } from "../sdk/project-admin";
import { open, type Program, program, run, type Server } from "../sdk/server";
import { newEmail, PASSWORD } from "../sdk/users";
import { accessToken } from "./identity";
import { hydrated } from "./locators";
import { test as base, expect, openShop, SECRET } from "./shop";

const NAMES = { projectId: "hosted-project", apiKey: "hosted-key", mode: "hardened" } as const;
const PROJECT = ["--project-id", NAMES.projectId, "--api-key", NAMES.apiKey];
const ID = ["--hosted-project-id", NAMES.projectId];
const KEY = ["--hosted-api-key", NAMES.apiKey];
const DOMAIN = ["--hosted-auth-domain", "127.0.0.1"];

const test = base.extend<object, { host: Server; shop: Program }>({
  host: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies here: none.
    async ({}, use) => {
      const domains = ["--authorized-domains", "127.0.0.1"];
      const host = await program(["identity", "--demo", ...PROJECT, ...domains]);
      await use({ ...host, ...NAMES });
      await host.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],

  shop: [
    async ({ host }, use) => {
      const shop = await openShop(...ID, ...KEY, ...DOMAIN, "--hosted-url", host.url);
      await use(shop);
      await shop.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],

  shopUrl: [async ({ shop }, use) => use(shop.url), { scope: "worker" }],
});

const header = (page: Page) => page.locator("header");

async function register(page: Page, email: string): Promise<void> {
  await page.goto("/register");
  await hydrated(page);
  await page.getByLabel("Name").fill("Joya Roy");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(header(page).getByText("Joya Roy")).toBeVisible();
}

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await expect(page).toHaveURL(/\/login/);
  await hydrated(page);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
}

// An ID token, by default of a new user.
async function token(at: ServerInfo, email: string, call = "signUp"): Promise<string> {
  const body = { email, password: PASSWORD, returnSecureToken: true };
  const answer = await clientCall(at, `v1/accounts:${call}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return String(answer.body.idToken);
}

function claims(token: string): Record<string, unknown> {
  const [, part = ""] = token.split(".");
  return JSON.parse(Buffer.from(part, "base64url").toString());
}

test.describe("a customer of a hosted identity service", () => {
  // The refused sign-in is a 400, which the browser logs.
  test.use({ allowedErrors: [/\b400\b/] });

  test("is registered there and here, and signs in again", async ({ page, host }) => {
    const email = newEmail("joya");
    const calls: string[] = [];
    page.on("response", (response) => {
      const { origin, pathname } = new URL(response.url());
      if (!/\/(api\/user|accounts:)/.test(pathname)) return;
      const where = origin === host.url ? "host" : "shop";
      const what = pathname.replace("/identitytoolkit.googleapis.com", "");
      calls.push(`${response.status()} ${where} ${response.request().method()} ${what}`);
    });
    await register(page, email);
    await expect.poll(() => accessToken(page)).not.toBeNull();
    expect(calls).toContain("200 host POST /v1/accounts:signUp");
    expect(calls.filter((call) => call.includes("shop"))).toEqual([
      "201 shop POST /api/user",
      "200 shop GET /api/user/jwt",
    ]);
    const sub = claims((await accessToken(page)) ?? "").sub;
    expect(claims(await token(host, email, "signInWithPassword")).sub).toBe(sub);

    await page.reload();
    await expect(header(page).getByText("Joya Roy")).toBeVisible();
    await page.getByRole("button", { name: "Log out" }).click();
    await header(page).getByRole("link", { name: "Sign in" }).click();
    await expect.poll(() => accessToken(page)).toBeNull();

    await logIn(page, email, "Wrong#123");
    await expect(page.getByLabel("Password")).toHaveAccessibleDescription(
      "That email and password do not match.",
    );
    await logIn(page, email, PASSWORD);
    await expect(page).toHaveURL(/\/$/);
    await expect(header(page).getByText("Joya Roy")).toBeVisible();
    await expect.poll(() => accessToken(page)).not.toBeNull();
    expect(claims((await accessToken(page)) ?? "").sub).toBe(sub);
  });
});

test("the service's e-mail links to its own page", async ({ page, host, shop }) => {
  const email = newEmail("joya");
  await register(page, email);
  const actionUrl = await inbox(host).link(email, "verifyEmail");
  expect(actionUrl).toContain(`${host.url}/`);
  expect(await inbox({ ...host, url: shop.url }).links(email)).toEqual([]);

  await page.goto(actionUrl);
  await expect(page.getByText(email)).toBeVisible();
  expect(claims(await token(host, email, "signInWithPassword")).email_verified).toBe(false);
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("Your address is confirmed.")).toBeVisible();
  expect(claims(await token(host, email, "signInWithPassword")).email_verified).toBe(true);
});

test("the shop trusts only the service's keys", async ({ request, host, shop }) => {
  const email = newEmail("joya");
  const theirs = await token(host, email);
  const ask = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const known = { headers, data: { name: "Joya Roy", email } };
    const saved = await request.post("/api/user", known);
    const answer = await request.get(`/api/user/jwt?email=${email}`, { headers });
    return [saved.status(), answer.status()];
  };
  expect(await ask(theirs)).toEqual([201, 200]);

  // Valid except for the key, which is the shop's own.
  const own = await open(["identity", "--demo", ...PROJECT, "--data-dir", shop.folder], SECRET);
  const ours = await token({ ...NAMES, url: own.url }, email).finally(own.stop);
  const { iss, aud, email: named } = claims(theirs);
  expect(claims(ours)).toMatchObject({ iss, aud, email: named });
  expect(await ask(ours)).toEqual([401, 401]);
  expect(await ask(unsigned(claims(theirs)))).toEqual([401, 401]);
  expect(await ask(`${theirs.slice(0, theirs.lastIndexOf("."))}.`)).toEqual([401, 401]);
});

test("the shop has no sign-in of its own", async ({ request }) => {
  for (const path of [
    "/auth/jwks.json",
    "/auth/certificates.json",
    "/auth/start?provider=google.com&state=0123456789abcdef",
    "/auth/callback",
    "/identitytoolkit.googleapis.com/v1/projects?key=haat-storefront",
  ]) {
    expect((await request.get(path)).status(), path).toBe(404);
  }
  const data = { email: newEmail(), password: PASSWORD };
  for (const key of ["haat-storefront", NAMES.apiKey]) {
    const path = `/identitytoolkit.googleapis.com/v1/accounts:signUp?key=${key}`;
    const answer = await request.post(path, { data });
    // These paths do not exist.
    expect([404, 405]).toContain(answer.status());
  }
});

test("the browser connects only to the shop and the service", async ({ page, host }) => {
  const answer = await page.goto("/login");
  const policy = (await answer?.headerValue("content-security-policy")) ?? "";
  expect(policy.split("; ")).toContain(`connect-src 'self' ${host.url}`);
  await hydrated(page);
  await expect(page.getByRole("button", { name: /Google|Facebook/ })).toHaveCount(0);
  expect(page.context().pages()).toHaveLength(1);
});

test.describe("a service that is down", () => {
  test.use({ allowedErrors: [/ERR_CONNECTION_REFUSED/] });

  test("breaks the sign-in, and not the shop", async ({ page }) => {
    const gone = await program(["identity", ...PROJECT]);
    await gone.stop();
    const shop = await openShop(...ID, ...KEY, ...DOMAIN, "--hosted-url", gone.url);
    try {
      await page.goto(shop.url);
      await page.locator("main li h3 a").first().click();
      await expect(page).toHaveURL(/\/product\//);
      await header(page).getByRole("link", { name: "Sign in" }).click();
      await logIn(page, newEmail(), PASSWORD);
      await expect(page.getByRole("alert")).toHaveText(/could not be reached/);
      await expect(page.getByRole("button", { name: "Continue" })).toBeEnabled();
    } finally {
      // A page that is still loading pictures would log errors.
      await page.goto("about:blank");
      await shop.stop();
    }
  });
});

test("an incomplete configuration is refused with a message", async () => {
  const missing = "a hosted project needs hosted_project_id, hosted_api_key and hosted_auth_domain";
  const place = ["--listen", "127.0.0.1:0", "--data-dir", test.info().outputPath("data")];
  const halves = [
    ID,
    [...ID, ...KEY],
    [...KEY, ...DOMAIN],
    ["--hosted-project-id=", ...KEY, ...DOMAIN],
    ["--hosted-url", "http://127.0.0.1:1"],
  ];
  for (const half of halves) {
    for (const command of ["check", "serve"]) {
      const failed = run(command, ...place, ...half);
      await expect(failed, `${command} ${half.join(" ")}`).rejects.toThrow(missing);
    }
  }
});
