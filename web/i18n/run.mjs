// Runs a TypeScript file of this folder, which Node 20 cannot load by itself:
// node i18n/run.mjs <file> [arguments]
import { join } from "node:path";
import { runnerImport } from "vite";

const [file] = process.argv.slice(2);
await runnerImport(join(import.meta.dirname, `${file}.ts`), { configFile: false });
