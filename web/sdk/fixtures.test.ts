import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Names } from "./match";
import { play, reset, type Scenario } from "./replay";

const folder = fileURLToPath(new URL("fixtures/", import.meta.url));
const web = fileURLToPath(new URL("..", import.meta.url));
const binary = resolve(web, process.env.HAAT_TEST_BIN ?? "../target/debug/haat");

let base = process.env.HAAT_TEST_IDENTITY_URL?.replace(/\/$/, "") ?? "";
let server: ChildProcess | undefined;

beforeAll(async () => {
  if (base === "") base = await start();
});

afterAll(async () => {
  if (!server || server.exitCode !== null) return;
  server.kill();
  await once(server, "exit");
});

for (const file of readdirSync(folder).sort()) {
  if (!file.endsWith(".json")) continue;
  const scenarios = JSON.parse(readFileSync(folder + file, "utf8")) as Scenario[];
  describe(file.replace(".json", ""), () => {
    for (const scenario of scenarios) {
      test(scenario.name, async () => {
        await reset(base);
        const names: Names = { base };
        for (const [index, step] of scenario.steps.entries()) {
          const differences = await play(base, step, names);
          expect(differences, `step ${index + 1}: ${step.do}`).toEqual([]);
        }
      });
    }
  });
}

/** Starts our own server on a free port and waits for its URL. */
function start(): Promise<string> {
  const child = spawn(binary, ["identity", "--emulator", "--listen", "127.0.0.1:0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  server = child;
  return new Promise((open, reject) => {
    let output = "";
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`${binary} ended with ${code}: ${output}`)));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const found = /^Haat identity is open at (http:\/\/\S+)/m.exec(output);
      if (found?.[1]) open(found[1]);
    });
  });
}
