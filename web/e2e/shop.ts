// A running shop for the tests, and a page that tolerates no complaint.
import { resolve } from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import { type Program, program, run } from "../sdk/server";

export type Options = { databaseUrl: string | null };
type Running = {
  // The option that names this worker's database.
  database: string[];
  opened: Pick<Program, "url" | "folder">;
  shopUrl: string;
  // The shopkeeper's hand: a command of the program, on what the running shop keeps.
  keeper: Keeper;
};
// The shopkeeper: a command of the program, with its arguments; answers what it prints.
export type Keeper = (...command: string[]) => Promise<string>;
type Watch = { tolerated: RegExp[] };

export const test = base.extend<Watch, Options & Running>({
  databaseUrl: [null, { option: true, scope: "worker" }],

  database: [
    async ({ databaseUrl }, use, { parallelIndex }) =>
      use(databaseUrl === null ? [] : ["--database-url", `${databaseUrl}_${parallelIndex}`]),
    { scope: "worker" },
  ],

  opened: [
    async ({ database }, use) => {
      // HAAT_TEST_URL: a shop that already runs; HAAT_TEST_DATA: where it keeps its data.
      const { HAAT_TEST_URL: url, HAAT_TEST_DATA: folder = "" } = process.env;
      if (url !== undefined) return await use({ url, folder });
      const shop = await openShop(...database);
      // It makes its index while it already sells.
      await expect.poll(async () => (await fetch(`${shop.url}/api/search`)).status).toBe(200);
      await use(shop);
      await shop.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],

  shopUrl: [async ({ opened }, use) => use(opened.url), { scope: "worker" }],

  keeper: [
    async ({ opened, database }, use) => {
      const place = ["--data-dir", opened.folder, "--secret", SECRET.HAAT_SECRET];
      await use((...command) => run(...command, ...place, ...database));
    },
    { scope: "worker" },
  ],

  baseURL: async ({ shopUrl }, use) => use(shopUrl),

  // What a test expects to be complained about, like the 404 that it asks for.
  tolerated: [[], { option: true }],

  page: async ({ page, tolerated, javaScriptEnabled }, use) => {
    const complaints = listen(page, javaScriptEnabled ?? true);
    await use(page);
    const unexpected = complaints.filter((line) => !tolerated.some((known) => known.test(line)));
    expect(unexpected, "complaints of the browser").toEqual([]);
  },
});

export { expect };

// For test.use: as most people see it, with what moves.
export const moving = { contextOptions: { reducedMotion: "no-preference" } } as const;

// A worker that starts again finds its database as it was, and must be able to read it.
export const SECRET = { HAAT_SECRET: "the browser tests' own secret, no other's" };

// A demo shop with the storefront as it is shipped.
export function openShop(...options: string[]): Promise<Program> {
  return openBuild("dist", ...options);
}

export function openBuild(build: string, ...options: string[]): Promise<Program> {
  const web = resolve(import.meta.dirname, "..", build);
  // The tests reckon with delivery.
  const charges = ["--free-delivery-over", "1000000"];
  return program(["serve", "--demo", "--web-dir", web, ...charges, ...options], SECRET);
}

// Tests in a shop of their own instead of the one that all share.
export const testIn = (open: () => Promise<Program>) =>
  test.extend<object, { shopUrl: string }>({
    shopUrl: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads here what is wanted: nothing.
      async ({}, use) => {
        const shop = await open();
        await use(shop.url);
        await shop.stop();
      },
      { scope: "worker", timeout: 60_000 },
    ],
  });

// Tests whose pages are controlled by a service worker. Elsewhere it is blocked, because Playwright cannot
// hold or answer the requests that it makes.
export const testWithWorker = test.extend({ serviceWorkers: "allow" });

const WORKER_BLOCKED = "Service Worker registration blocked by Playwright";

// Console errors and warnings (hydration and policy violations are among them), uncaught errors
// and failed requests.
function listen(page: Page, scripts: boolean): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    const serious = message.type() === "error" || message.type() === "warning";
    if (serious && message.text() !== WORKER_BLOCKED) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // A picture, a font, the icon, a page's code or style, a look ahead at data or code, or the development
    // build's own question, that the next page cut short.
    const hasty = /^(fetch|script|stylesheet|image|font|other)$/.test(request.resourceType());
    // first.js sends a guest from there to the sign-in before the rest of the document has come.
    const sentOn =
      request.resourceType() === "document" && /\/account\b/.test(new URL(request.url()).pathname);
    if (reason === "net::ERR_ABORTED" && (hasty || sentOn)) return;
    // Switched off, scripts are refused, and their preloads with them.
    if (!scripts && request.resourceType() === "script") return;
    complaints.push(`${request.method()} ${request.url()}: ${reason}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  return complaints;
}
