// What a phone on a slow network gets: Lighthouse on the pages that most visits start with, the
// median of three. `node bench/lighthouse.mjs [address]`; without an address it opens a shop itself.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const RUNS = 3;
const PAGES = ["/", "/category/audio", "/product/tarn-over-ear-headphones"];
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

const shop = process.argv[2] ? { url: process.argv[2], close() {} } : await openShop();
try {
  console.log(`Lighthouse, its phone on a slow network, medians of ${RUNS}; kB over the wire`);
  const head = [...SCORES, "LCP s", "CLS", ...KINDS.map((kind) => kind.toLowerCase())];
  console.log(["".padEnd(36), ...head].join("  "));
  for (const page of PAGES) {
    // The first visit makes the pictures in their sizes, and is not counted.
    await measure(shop.url + page);
    const runs = [];
    for (let run = 0; run < RUNS; run++) runs.push(await measure(shop.url + page));
    const row = head.map((name) => String(median(runs.map((run) => run[name]))));
    console.log(
      [page.padEnd(36), ...row.map((cell, at) => cell.padStart(head[at].length))].join("  "),
    );
    for (const fault of new Set(runs.flatMap((run) => run.faults))) console.log(`  ${fault}`);
  }
} finally {
  shop.close();
}

async function measure(url) {
  // A browser of its own each time: nothing is kept from the visit before.
  const chromium = await launch({ chromePath: "/usr/bin/chromium", chromeFlags: CHROMIUM });
  try {
    const { lhr } = await lighthouse(url, { port: chromium.port, logLevel: "silent" });
    const { audits, categories } = lhr;
    const number = (audit, by) => Math.round(audits[audit].numericValue * by) / by;
    const sent = audits["network-requests"].details.items;
    const bytes = (kind) =>
      sent.reduce((sum, one) => sum + (one.resourceType === kind ? one.transferSize : 0), 0);
    return {
      ...Object.fromEntries(SCORES.map((name) => [name, Math.round(categories[name].score * 100)])),
      "LCP s": number("largest-contentful-paint", 1) / 1000,
      CLS: number("cumulative-layout-shift", 1000),
      ...Object.fromEntries(
        KINDS.map((kind) => [kind.toLowerCase(), Math.round(bytes(kind) / 1000)]),
      ),
      // How fast it is, the numbers say; what is wrong otherwise is named.
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

async function openShop() {
  const folder = mkdtempSync(join(tmpdir(), "haat-lighthouse-"));
  const binary = join(import.meta.dirname, "../../target/release/haat");
  const options = ["serve", "--demo", "--listen", "127.0.0.1:0", "--data-dir", folder];
  const child = spawn(binary, options, { stdio: ["ignore", "pipe", "inherit"] });
  const close = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /is open at (http:\/\/\S+)/.exec(line)?.[1];
    if (url !== undefined) return { url, close };
  }
  close();
  throw new Error(`${binary} did not open`);
}
