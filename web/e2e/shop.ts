// Fixtures: a running shop, and a page that fails the test on any error.
import { resolve } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import { type Program, program, run } from "../sdk/server";

// `settings`: further options of the shop; tests with their own have their own shop.
export type Options = { databaseUrl: string | null; settings: string[] };
type Running = {
  // The option with this worker's database.
  database: string[];
  running: Pick<Program, "url" | "folder">;
  shopUrl: string;
  cli: Cli;
};
// Runs a command of the program on the running shop's data; returns what it prints.
export type Cli = (...command: string[]) => Promise<string>;
type Watch = { allowedErrors: RegExp[] };

export const test = base.extend<Watch, Options & Running>({
  databaseUrl: [null, { option: true, scope: "worker" }],
  settings: [[], { option: true, scope: "worker" }],

  database: [
    async ({ databaseUrl }, use, { parallelIndex }) =>
      use(databaseUrl === null ? [] : ["--database-url", `${databaseUrl}_${parallelIndex}`]),
    { scope: "worker" },
  ],

  running: [
    async ({ database, settings }, use) => {
      // HAAT_TEST_URL: a running shop; HAAT_TEST_DATA: its data directory.
      const { HAAT_TEST_URL: url, HAAT_TEST_DATA: folder = "" } = process.env;
      if (url !== undefined) return await use({ url, folder });
      const shop = await openShop(...database, ...settings);
      await use(shop);
      await shop.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],

  shopUrl: [async ({ running }, use) => use(running.url), { scope: "worker" }],

  cli: [
    async ({ running, database }, use) => {
      const place = ["--data-dir", running.folder, "--secret", SECRET.HAAT_SECRET];
      await use((...command) => run(...command, ...place, ...database));
    },
    { scope: "worker" },
  ],

  baseURL: async ({ shopUrl }, use) => use(shopUrl),

  // Errors that a test expects, like the 404 that it requests.
  allowedErrors: [[], { option: true }],

  page: async ({ page, allowedErrors, javaScriptEnabled }, use) => {
    const errors = recordErrors(page, javaScriptEnabled ?? true);
    await use(page);
    const unexpected = errors.filter((line) => !allowedErrors.some((known) => known.test(line)));
    expect(unexpected, "errors of the browser").toEqual([]);
  },
});

export { expect };

// For test.use: with animations, as most visitors see it.
export const withMotion = { contextOptions: { reducedMotion: "no-preference" } } as const;

// A restarted worker finds its database as it was, and needs the same secret.
export const SECRET = { HAAT_SECRET: "the browser tests' own secret, no other's" };

// A demo shop with the production build.
export function openShop(...options: string[]): Promise<Program> {
  return openBuild("dist", ...options);
}

export async function openBuild(build: string, ...options: string[]): Promise<Program> {
  const web = resolve(import.meta.dirname, "..", build);
  // The tests expect delivery costs.
  const charges = ["--free-delivery-over", "1000000"];
  const shop = await program(["serve", "--demo", "--web-dir", web, ...charges, ...options], SECRET);
  // The search index is built while the shop is already open; until then lists have no filters.
  const ready = async () => (await fetch(`${shop.url}/readyz`)).text();
  await expect.poll(ready, { timeout: 120_000 }).toBe("ready\n");
  return shop;
}

// Tests with their own shop instead of the shared one.
export const testIn = (open: () => Promise<Program>) =>
  test.extend<object, { shopUrl: string }>({
    shopUrl: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies here: none.
      async ({}, use) => {
        const shop = await open();
        await use(shop.url);
        await shop.stop();
      },
      { scope: "worker", timeout: 180_000 },
    ],
  });

// Tests with a service worker. It is blocked elsewhere, because Playwright cannot intercept its
// requests.
export const testWithWorker = test.extend({ serviceWorkers: "allow" });

const WORKER_BLOCKED = "Service Worker registration blocked by Playwright";

// Records console errors and warnings (hydration mismatches and policy violations among them),
// uncaught errors and failed requests.
function recordErrors(page: Page, scripts: boolean): string[] {
  const errors: string[] = [];
  page.on("console", (message) => {
    const serious = message.type() === "error" || message.type() === "warning";
    if (serious && message.text() !== WORKER_BLOCKED) errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // Pictures, fonts, code, styles, prefetches and the development build's polling, aborted by the
    // next navigation.
    const aborted = /^(fetch|script|stylesheet|image|font|other)$/.test(request.resourceType());
    // bootstrap.js redirects guests to the sign-in before the rest of the document has loaded.
    const redirected =
      request.resourceType() === "document" && /\/account\b/.test(new URL(request.url()).pathname);
    if (reason === "net::ERR_ABORTED" && (aborted || redirected)) return;
    // With scripts disabled, their requests and preloads are refused.
    if (!scripts && request.resourceType() === "script") return;
    errors.push(`${request.method()} ${request.url()}: ${reason}`);
  });
  page.on("response", (response) => {
    const [status, url] = [response.status(), response.url()];
    if (status >= 400) errors.push(`${status} ${url}`);
  });
  return errors;
}
