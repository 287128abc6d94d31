import { defineConfig } from "@playwright/test";
import type { Options } from "./e2e/shop";

// Playwright configuration: one project per database. PostgreSQL needs a server with one database
// per worker.
const postgres = process.env.HAAT_TEST_POSTGRES_E2E;

// Specs with their own servers: the official SDK in a browser without a shop; shops with external
// identity providers; React's development build; a service worker; failing server rendering; and
// order limits.
const SDK = "sdk.spec.ts";
const EXTERNAL_IDENTITY = ["openid-provider.spec.ts", "hosted-identity.spec.ts"];
const BUILDS = [
  "all-pages.spec.ts",
  "bangla-pages.spec.ts",
  "order-limits.spec.ts",
  "offline.spec.ts",
  "ssr-failure.spec.ts",
];
// Tests for which the database matters run on both: orders, money, concurrent writes. HAAT_TEST_ALL
// (`make test-all`) runs the others on PostgreSQL too.
const DATABASE_TESTS = /@database/;
const all = process.env.HAAT_TEST_ALL !== undefined;
const OWN_SERVERS = [SDK, ...EXTERNAL_IDENTITY, ...BUILDS];

// Not a test: screenshots by `make shots`.
const shots = process.env.HAAT_TEST_SHOTS;

export default defineConfig<object, Options>({
  testDir: "e2e",
  outputDir: "test-results/e2e",
  // Each worker has its own shop.
  workers: 2,
  forbidOnly: process.env.CI !== undefined,
  // A busy machine is slow, and the first test starts with cold caches. Only a failure takes this long.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [["list"], ["json", { outputFile: "test-results/e2e.json" }]],
  use: {
    // Tracing costs a third of the time: HAAT_TEST_TRACE=1 to debug a test.
    trace: process.env.HAAT_TEST_TRACE === undefined ? "off" : "retain-on-failure",
    screenshot: "only-on-failure",
    serviceWorkers: "block",
    // Without animations, so that nothing is measured half-way. Tests of animations turn them on
    // (`withMotion` in e2e/shop.ts).
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      // Chromium without its own windows, which take a third of the time to draw and nobody sees.
      executablePath: "/usr/bin/chromium-headless-shell",
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
    // First: it has the longest test.
    { name: "builds", testMatch: BUILDS },
    { name: "sqlite", testIgnore: OWN_SERVERS },
    ...(postgres === undefined
      ? []
      : [
          {
            name: "postgres",
            testIgnore: OWN_SERVERS,
            ...(all ? {} : { grep: DATABASE_TESTS }),
            use: { databaseUrl: postgres },
          },
        ]),
    { name: "sdk", testMatch: SDK },
    { name: "external-identity", testMatch: EXTERNAL_IDENTITY },
    ...(shots === undefined ? [] : [{ name: "shots", testMatch: "shots.ts" }]),
  ],
});
