import { defineConfig } from "@playwright/test";
import type { Options } from "./e2e/shop";

// One project a database. The second needs a PostgreSQL to talk to, with a database a worker.
const postgres = process.env.HAAT_TEST_POSTGRES_E2E;

// These have servers of their own: the official SDK in a browser, which needs no shop, shops whose
// customers are known elsewhere, one with React's development build, one whose pages have a worker, one
// that cannot render, and one with limits on orders.
const SDK = "sdk.spec.ts";
const ELSEWHERE = ["provider.spec.ts", "hosted.spec.ts"];
const BUILDS = ["everywhere.spec.ts", "limits.spec.ts", "offline.spec.ts", "unrendered.spec.ts"];
// What the database can matter to runs on both: orders, their money, and what is written together. HAAT_TEST_ALL
// (`make test-all`) runs the others on PostgreSQL too.
const ON_BOTH = /@database/;
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
    // Recording every step takes a third of the time: HAAT_TEST_TRACE=1 for a test that is looked into.
    trace: process.env.HAAT_TEST_TRACE === undefined ? "off" : "retain-on-failure",
    screenshot: "only-on-failure",
    serviceWorkers: "block",
    // Standing still, so that nothing is measured half-way and nothing is drawn that no test looks at.
    // What moves has tests that ask for it (`moving` in e2e/shop.ts).
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
    { name: "sqlite", testIgnore: APART },
    ...(postgres === undefined
      ? []
      : [
          {
            name: "postgres",
            testIgnore: APART,
            ...(all ? {} : { grep: ON_BOTH }),
            use: { databaseUrl: postgres },
          },
        ]),
    { name: "sdk", testMatch: SDK },
    { name: "elsewhere", testMatch: ELSEWHERE },
    ...(shots === undefined ? [] : [{ name: "shots", testMatch: "shots.ts" }]),
  ],
});
