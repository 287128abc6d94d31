// Lighthouse on the most common entry pages in English and Bangla, as a phone on a slow network; the
// median of three runs. `node bench/lighthouse.mjs [address]`; without an address it starts a shop
// itself. The phone is equally fast on every machine: the CPU slowdown is computed from Lighthouse's
// own benchmark index. Lighthouse's default of four is for a fast machine.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const RUNS = 3;
const PAGES = [
  "/",
  "/category/audio",
  "/product/tarn-over-ear-headphones",
  "/bn",
  "/bn/category/audio",
  "/bn/product/tarn-over-ear-headphones",
];
const SCORES = ["performance", "accessibility", "best-practices", "seo"];
const KINDS = ["Document", "Script", "Stylesheet", "Font", "Image"];
const CHROMIUM = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Indexes, and how many times slower than such a machine a usual phone is, by the calculator that
 * Lighthouse's documentation names. */
const SLOWER = [
  [150, 1],
  [800, 2],
  [1300, 3],
  [1533, 4],
];

const shop = process.argv[2] ? { url: process.argv[2], close() {} } : await openShop();
try {
  // Warm-up visits: the shop encodes the pictures in their sizes.
  for (const page of PAGES) await measure(shop.url + page);
  // While the shop encodes them, the benchmark index would be too low.
  await shop.settled?.();
  const indexes = [];
  for (const page of PAGES) indexes.push((await measure(shop.url + page)).index);
  const index = median(indexes);
  const slower = timesSlower(index);
  console.log(`Lighthouse, its phone on a slow network, medians of ${RUNS}; kB over the wire`);
  console.log(
    `(index ${Math.round(index)}: the phone is ${slower.toFixed(1)} times slower than here)`,
  );
  const head = [...SCORES, "LCP s", "TBT ms", "CLS", ...KINDS.map((kind) => kind.toLowerCase())];
  console.log(["".padEnd(36), ...head].join("  "));
  for (const page of PAGES) {
    const runs = [];
    for (let run = 0; run < RUNS; run++) runs.push(await measure(shop.url + page, slower));
    const row = head.map((name) => String(median(runs.map((run) => run[name]))));
    console.log(
      [page.padEnd(36), ...row.map((cell, at) => cell.padStart(head[at].length))].join("  "),
    );
    for (const fault of new Set(runs.flatMap((run) => run.faults))) console.log(`  ${fault}`);
  }
} finally {
  shop.close();
}

async function measure(url, slower = 4, tries = 3) {
  // A new browser each time, with an empty cache.
  const chromium = await launch({ chromePath: "/usr/bin/chromium", chromeFlags: CHROMIUM });
  try {
    const { lhr } = await lighthouse(
      url,
      { port: chromium.port, logLevel: "silent" },
      {
        extends: "lighthouse:default",
        settings: { throttling: { cpuSlowdownMultiplier: slower } },
      },
    );
    if (lhr.runtimeError) {
      console.log(`${url}: ${lhr.runtimeError.code}`);
      if (tries === 1) throw new Error(lhr.runtimeError.message);
      return measure(url, slower, tries - 1);
    }
    const { audits, categories, environment } = lhr;
    const number = (audit, by) => Math.round(audits[audit].numericValue * by) / by;
    const sent = audits["network-requests"].details.items;
    const bytes = (kind) =>
      sent.reduce((sum, one) => sum + (one.resourceType === kind ? one.transferSize : 0), 0);
    return {
      index: environment.benchmarkIndex,
      ...Object.fromEntries(SCORES.map((name) => [name, Math.round(categories[name].score * 100)])),
      "LCP s": number("largest-contentful-paint", 1) / 1000,
      "TBT ms": number("total-blocking-time", 1),
      CLS: number("cumulative-layout-shift", 1000),
      ...Object.fromEntries(
        KINDS.map((kind) => [kind.toLowerCase(), Math.round(bytes(kind) / 1000)]),
      ),
      // Speed is in the numbers; other failed audits are listed.
      faults: SCORES.slice(1).flatMap((name) =>
        categories[name].auditRefs
          .filter(({ id, weight }) => weight > 0 && (audits[id].score ?? 1) < 1)
          .map(({ id }) => `${name}: ${audits[id].title}`),
      ),
    };
  } finally {
    chromium.kill();
  }
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

function timesSlower(index) {
  const above = SLOWER.findIndex(([reached]) => reached > index);
  const at = above === -1 ? SLOWER.length - 1 : Math.max(1, above);
  const [[low, less], [high, more]] = [SLOWER[at - 1], SLOWER[at]];
  return Math.max(1, less + ((index - low) / (high - low)) * (more - less));
}

async function openShop() {
  const folder = mkdtempSync(join(tmpdir(), "haat-lighthouse-"));
  const binary = join(import.meta.dirname, "../../target/dist/haat");
  const options = ["serve", "--demo", "--listen", "127.0.0.1:0", "--data-dir", folder];
  const child = spawn(binary, options, { stdio: ["ignore", "pipe", "inherit"] });
  const close = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  // The page must not wait for the shop's background work on the same machine.
  const settled = async () => {
    let [before, now] = [Number.NEGATIVE_INFINITY, ticks(child.pid)];
    while (now - before >= 10) {
      await sleep(2_000);
      [before, now] = [now, ticks(child.pid)];
    }
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /is open at (http:\/\/\S+)/.exec(line)?.[1];
    if (url !== undefined) return { url, close, settled };
  }
  close();
  throw new Error(`${binary} did not open`);
}

/** The time that a process has computed for, in hundredths of a second. */
function ticks(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14);
  return Number(user) + Number(system);
}
