import { defineConfig } from "@playwright/test";
import type { Options } from "./e2e/shop";

// One project a database. The second needs a PostgreSQL to talk to, with a database a worker.
const postgres = process.env.HAAT_TEST_POSTGRES_E2E;

// These have servers of their own: the official SDK in a browser, which needs no shop, shops whose
// customers are known elsewhere, one with the build that has a worker, one that cannot render, and one
// with limits on orders.
const SDK = "sdk.spec.ts";
const ELSEWHERE = ["provider.spec.ts", "hosted.spec.ts"];
const BUILDS = ["limits.spec.ts", "offline.spec.ts", "unrendered.spec.ts"];
// What the database can matter to: orders, their money, and what is written together. HAAT_TEST_ALL
// (`make test-all`) runs the others on PostgreSQL too.
const ON_BOTH = ["checkout", "credit", "orders", "profile", "reviews", "wishlist"].map(
  (name) => `${name}.spec.ts`,
);
const all = process.env.HAAT_TEST_ALL !== undefined;
const APART = [SDK, ...ELSEWHERE, ...BUILDS];

// Not a test: `make shots`.
const shots = process.env.HAAT_TEST_SHOTS;

export default defineConfig<object, Options>({
  testDir: "e2e",
  outputDir: "test-results/e2e",
  // Each has a shop of its own.
  workers: 2,
  forbidOnly: process.env.CI !== undefined,
  // A busy machine is slower, not wrong, and the first journey finds everything cold.
  timeout: 90_000,
  expect: { timeout: 10_000 },
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
    { name: "sqlite", testIgnore: APART },
    ...(postgres === undefined
      ? []
      : [
          {
            name: "postgres",
            testIgnore: APART,
            ...(all ? {} : { testMatch: ON_BOTH }),
            use: { databaseUrl: postgres },
          },
        ]),
    { name: "sdk", testMatch: SDK },
    { name: "elsewhere", testMatch: ELSEWHERE },
    { name: "builds", testMatch: BUILDS },
    ...(shots === undefined ? [] : [{ name: "shots", testMatch: "shots.ts" }]),
  ],
});
