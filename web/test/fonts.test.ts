// The Bengali fonts hold the conjuncts of src/fonts/bengali-conjuncts.txt; any other is shown with a
// visible hasanta.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const FONTS = join(ROOT, "web/src/fonts");
const FOLDERS = ["messages/bn", "demo/content/bn", "starter/bn"].map((path) => join(ROOT, path));
// Its texts in Bangla are the fields with @bn.
const CATALOG = join(ROOT, "demo/catalog.json");
const CONJUNCT = /[ক-হড়ঢ়য়](?:্[ক-হড়ঢ়য়])+/gu;

test("the fonts of Bangla hold the conjuncts that our texts have", () => {
  const list = readFileSync(join(FONTS, "bengali-conjuncts.txt"), "utf8");
  const held = new Set(list.split(/\s+/));
  const missing = [...FOLDERS.flatMap(filesIn), CATALOG].flatMap((file) => {
    const text = readFileSync(file, "utf8").normalize("NFC");
    return conjuncts(text).filter((conjunct) => !held.has(conjunct));
  });
  expect([...new Set(missing)]).toEqual([]);
});

test("the fonts of Bangla have at most 90 kB", () => {
  const sizes = readdirSync(FONTS)
    .filter((file) => /^bengali-.*\.woff2$/.test(file))
    .map((file) => statSync(join(FONTS, file)).size);
  expect(sizes).toHaveLength(2);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(90_000);
});

// Without a leading reph and a trailing ya-phala, which every consonant can have.
function conjuncts(text: string): string[] {
  return [...text.matchAll(CONJUNCT)]
    .map(([found]) => found.replace(/^র্/, "").replace(/্য$/, ""))
    .filter((found) => found.includes("্"));
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => /\.(json|md|txt)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
