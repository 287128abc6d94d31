// A running shop for the tests, and a page that tolerates no complaint.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { test as base, expect, type Page } from "@playwright/test";

export type Options = { databaseUrl: string | null };
type Running = { shopUrl: string };
type Watch = { tolerated: RegExp[] };

const web = resolve(import.meta.dirname, "..");

export const test = base.extend<Watch, Options & Running>({
  databaseUrl: [null, { option: true, scope: "worker" }],

  shopUrl: [
    async ({ databaseUrl }, use) => {
      // HAAT_TEST_URL: a shop that already runs.
      if (process.env.HAAT_TEST_URL !== undefined) return await use(process.env.HAAT_TEST_URL);
      const shop = await openShop(databaseUrl);
      await use(shop.url);
      await shop.close();
    },
    { scope: "worker", timeout: 60_000 },
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

async function openShop(databaseUrl: string | null) {
  const folder = mkdtempSync(join(tmpdir(), "haat-e2e-"));
  const binary = resolve(web, process.env.HAAT_TEST_BIN ?? "../target/debug/haat");
  const options = ["--listen", "127.0.0.1:0", "--data-dir", folder];
  const database = databaseUrl === null ? [] : ["--database-url", databaseUrl];
  const server = spawn(
    binary,
    ["serve", "--demo", ...options, "--web-dir", join(web, "dist-dev"), ...database],
    {
      stdio: ["ignore", "pipe", "inherit"],
      // A worker that starts again finds its database as it was, and must be able to read it.
      env: { ...process.env, HAAT_SECRET: "the browser tests' own secret, no other's" },
    },
  );
  const ended = new Promise<void>((done) => server.once("close", () => done()));
  const failed = new Promise<never>((_, reject) => {
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`${binary} ended with ${code}`)));
  });
  const opened = new Promise<string>((found) => {
    createInterface({ input: server.stdout }).on("line", (line) => {
      const url = /^Haat is open at (http:\/\/\S+)/.exec(line)?.[1];
      if (url !== undefined) found(url);
    });
  });
  const url = await Promise.race([opened, failed]);
  // It is meant to end from here on.
  failed.catch(() => {});
  return {
    url,
    async close() {
      server.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// Console errors and warnings (hydration and policy violations are among them), uncaught errors
// and failed requests.
function listen(page: Page, scripts: boolean): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // A look ahead at data or code, or the development build's own question, that the next page
    // cut short.
    if (reason === "net::ERR_ABORTED" && /^(fetch|script)$/.test(request.resourceType())) return;
    // Switched off, scripts are refused, and their preloads with them.
    if (!scripts && request.resourceType() === "script") return;
    complaints.push(`${request.method()} ${request.url()}: ${reason}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  return complaints;
}
