import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LABELS } from "./address-labels";

const FORMAT = join(import.meta.dirname, "../../../../crates/postal-address/src/format.rs");

test("every label of the server has words", () => {
  const [, list = ""] =
    /LABELS: &\[&str\] = &\[([^\]]+)\]/.exec(readFileSync(FORMAT, "utf8")) ?? [];
  const labels = [...list.matchAll(/"(\w+)"/g)].map(([, label]) => label);
  expect(Object.keys(LABELS).sort()).toEqual(labels.filter((name) => name !== "recipient").sort());
});
