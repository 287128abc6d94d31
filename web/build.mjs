// Builds the storefront: the browser's bundle in each language of /messages, and the server's.
//   node build.mjs [--dev]
// $BUNDLE_MESSAGES and $BUNDLE_OUT are other folders in place of /messages and dist.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { runnerImport } from "vite";

const WEB = import.meta.dirname;
const dev = process.argv.includes("--dev");
const mode = dev ? "development" : "production";
const out = join(WEB, process.env.BUNDLE_OUT ?? (dev ? "dist-dev" : "dist"));
const client = join(out, "client");

const catalogue = join(WEB, "i18n/catalogue.ts");
const { FOLDER, languagesIn } = (await runnerImport(catalogue, { configFile: false })).module;
const languages = languagesIn(FOLDER);
rmSync(out, { recursive: true, force: true });
await Promise.all([
  ...languages.map((language) => vite([], { BUNDLE_LANGUAGE: language })),
  vite(["--ssr"], {}),
]);
if (!dev) await precompress(client);

function vite(options, environment) {
  const child = spawn(
    process.execPath,
    [
      join(WEB, "node_modules/vite/bin/vite.js"),
      "build",
      "--mode",
      mode,
      "--logLevel",
      "warn",
      ...options,
    ],
    { cwd: WEB, stdio: "inherit", env: { ...process.env, NODE_ENV: mode, ...environment } },
  );
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("exit", (code) => (code === 0 ? done() : fail(new Error(`vite exited with ${code}`))));
  });
}

// Compresses every text file at the highest level; the server only picks one.
async function precompress(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const texts = files.filter((name) => /\.(js|css|svg|json|txt)$/.test(name));
  await Promise.all(
    texts.map(async (name) => {
      const path = join(folder, name);
      const bytes = readFileSync(path);
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
      writeFileSync(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}
