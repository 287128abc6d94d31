// The first part of `npm run check`: are the message catalogues complete, their types up to date,
// all messages used, all sentences messages, and all styles fit for both directions of text?
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Catalogue, FOLDER, readCatalogue, SERVER_NAMESPACES, SOURCE } from "./catalogue.ts";
import { catalogueProblems } from "./check-catalogue.ts";
import { readSource, type SourceReport } from "./check-source.ts";
import { physicalProperties } from "./check-styles.ts";
import { declarations, TYPES } from "./types.ts";

const WEB = join(import.meta.dirname, "..");
const SRC = join(WEB, "src");

// Pages for developers stay in English, and tests have sentences of their own.
const NOT_CHECKED =
  /\.test\.tsx?$|\.d\.ts$|\.gen\.ts$|^(pages\/(dev-ui|api-docs)|features\/api-docs\/)/;

// Names that are the same in every language.
const ALLOWED = new Set([
  "Android",
  "BDT ৳",
  "Facebook",
  "Google",
  "Google Pay",
  "PayPal",
  "Pinterest",
  "Samsung Internet",
  "USD $",
  "WhatsApp",
  "iPhone",
]);

const problems = problemsOf(readCatalogue(FOLDER));
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(`\n${problems.length} problems with messages`);
  process.exitCode = 1;
}

function problemsOf(catalogue: Catalogue): string[] {
  const found = catalogueProblems(catalogue);
  const reports = sourceFiles().map((file) => {
    const code = readFileSync(join(SRC, file), "utf8");
    return readSource(relative(process.cwd(), join(SRC, file)), code, ALLOWED);
  });
  found.push(...reports.flatMap((report) => report.problems), ...unused(catalogue, reports));
  found.push(...styleFiles().flatMap(physicalInFile));
  if (readFileSync(TYPES, "utf8") !== declarations(catalogue))
    found.push(`${relative(process.cwd(), TYPES)} is out of date: npm run messages`);
  return found;
}

function sourceFiles(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !NOT_CHECKED.test(file))
    .sort();
}

function styleFiles(): string[] {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".css")).sort();
}

function physicalInFile(file: string): string[] {
  const path = join(SRC, file);
  return physicalProperties(relative(process.cwd(), path), readFileSync(path, "utf8"));
}

function unused(catalogue: Catalogue, reports: SourceReport[]): string[] {
  const used = new Set(reports.flatMap((report) => report.used));
  const whole = new Set([...SERVER_NAMESPACES, ...reports.flatMap((report) => report.whole)]);
  return [...(catalogue.get(SOURCE) ?? [])]
    .filter(([namespace]) => !whole.has(namespace))
    .flatMap(([namespace, messages]) =>
      Object.keys(messages)
        .filter((key) => !used.has(`${namespace}.${key}`))
        .map((key) => `messages/${SOURCE}/${namespace}.json: ${key} is used nowhere`),
    );
}
