// Prints failed browser tests: each test's title and the first lines of its error.
import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

const LINES = 14;

const specs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)];
const { suites } = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const spec of suites.flatMap(specs).filter(({ ok }) => !ok)) {
  for (const { projectName, results } of spec.tests.filter(({ status }) => status !== "expected")) {
    console.log(`[${projectName}] ${spec.file}:${spec.line} ${spec.title}`);
    const said = results.flatMap(({ errors }) => errors.map(({ message }) => message)).join("\n");
    for (const line of stripVTControlCharacters(said).split("\n").slice(0, LINES)) {
      console.log(`    ${line}`);
    }
  }
}
