import { defineConfig } from "@playwright/test";
import type { Options } from "./e2e/shop";

// One project a database. The second needs a PostgreSQL to talk to.
const postgres = process.env.HAAT_TEST_POSTGRES_E2E;

// The official SDK in a browser has servers of its own and needs no shop.
const SDK = "sdk.spec.ts";

export default defineConfig<object, Options>({
  testDir: "e2e",
  outputDir: "test-results/e2e",
  workers: 1,
  forbidOnly: process.env.CI !== undefined,
  timeout: 30_000,
  reporter: [["list"], ["json", { outputFile: "test-results/e2e.json" }]],
  use: {
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "sqlite", testIgnore: SDK },
    ...(postgres === undefined
      ? []
      : [{ name: "postgres", testIgnore: SDK, use: { databaseUrl: postgres } }]),
    { name: "sdk", testMatch: SDK },
  ],
});
