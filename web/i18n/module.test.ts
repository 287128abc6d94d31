import { expect, test } from "vitest";
import type { Catalogue } from "./catalogue";
import { catalogueProblems } from "./check-catalogue";
import { readSource } from "./check-source";
import { barrelModule, messageModule, namespaceModule } from "./module";
import { declarations } from "./types";

const catalogue: Catalogue = new Map([
  [
    "en",
    new Map([
      [
        "cart",
        { empty: "Empty", items: "{n, plural, one {# item} other {# items}}", delete: "Go" },
      ],
      ["language", { name: "English" }],
    ]),
  ],
  [
    "bn",
    new Map([
      ["cart", { empty: "খালি", items: "{n, number}টি" }],
      ["language", { name: "বাংলা" }],
    ]),
  ],
]);

test("a browser's bundle has one language, and a module for each message", () => {
  expect(barrelModule(catalogue, "cart")).toBe(
    ["empty", "items", "delete"]
      .map((key) => `export { ${key} } from "messages/cart/${key}";\n`)
      .join(""),
  );
  expect(messageModule(catalogue, "cart", "empty", "bn")).toBe(
    'const empty_ = () => "খালি";\nexport { empty_ as empty };\n',
  );
  expect(messageModule(catalogue, "cart", "empty", "en")).toContain('"Empty"');
  expect(messageModule(catalogue, "cart", "items", "bn")).not.toContain("plural");
});

test("what a language lacks is said in English", () => {
  expect(messageModule(catalogue, "cart", "delete", "bn")).toContain('() => "Go"');
});

test("the server's bundle chooses the language at call time", () => {
  const code = namespaceModule(catalogue, "cart", null);
  expect(code).toContain('($language() === "bn" ? "খালি" : "Empty")');
  expect(code).toContain("$plural_en");
  expect(code).toContain("delete_ as delete");
});

test("what a language says about itself takes the language, in every bundle", () => {
  for (const target of ["en", "bn", null])
    expect(namespaceModule(catalogue, "language", target)).toContain(
      '(a) => (a === "bn" ? "বাংলা" : "English")',
    );
});

test("declares exact arguments", () => {
  expect(
    declarations(catalogue),
  ).toBe(`// Generated from messages/en by \`npm run messages\`. Do not edit.

declare module "messages/cart" {
  /** Empty */
  export function empty(): string;
  /** {n, plural, one {# item} other {# items}} */
  export function items(of: { n: number }): string;
  /** Go */
  function delete_(): string;
  export { delete_ as delete };
}

declare module "messages/language" {
  /** English */
  export function name(language: string): string;
}
`);
});

test("finds what a translation lacks, has too much, and says with other arguments", () => {
  const other: Catalogue = new Map(catalogue);
  const cart = { empty: "খালি {name}", items: "{n, plural, few {#} other {#}}", more: "আরও" };
  other.set("bn", new Map([["cart", cart]]));
  expect(catalogueProblems(other)).toEqual([
    "messages/bn/cart.json: empty takes {name, text} in place of nothing",
    "messages/bn/cart.json: items cannot be compiled: bn has no plural category few",
    "messages/bn/cart.json: delete is missing",
    "messages/bn/cart.json: more is not in en",
    "messages/bn/language.json: name is missing",
  ]);
  expect(catalogueProblems(catalogue)).toEqual(["messages/bn/cart.json: delete is missing"]);
});

test("finds a select whose cases differ", () => {
  const select = (cases: string) => ({ what: `{kind, select, ${cases} other {}}` });
  const problems = (en: string, bn: string) =>
    catalogueProblems(
      new Map([
        ["en", new Map([["errors", select(en)]])],
        ["bn", new Map([["errors", select(bn)]])],
      ]),
    );
  expect(problems("page {Page} post {Post}", "post {লেখা} page {পাতা}")).toEqual([]);
  expect(problems("page {Page} post {Post}", "page {পাতা}")).toEqual([
    "messages/bn/errors.json: what takes {kind, select, other page} in place of {kind, select, other page post}",
  ]);
});

function read(code: string) {
  return readSource("a.tsx", code, new Set(["PayPal"]));
}

test("finds the messages that a file uses", () => {
  const { used, whole, problems } = read(`
    import * as m from "messages/cart";
    const TABLE = { label: m.items, other: { m: 1 } };
    export const Cart = () => <p title={m.empty()}>{m.delete()}</p>;
    import * as errors from "messages/errors";
    const sentence = (key) => errors[key]();
  `);
  expect(used).toEqual(["cart.items", "cart.empty", "cart.delete"]);
  expect(whole).toEqual(["errors"]);
  expect(problems).toEqual([]);
});

test.each([
  ['import { empty } from "messages/cart";', 'write import * as m from "messages/cart"'],
  ['import * as m from "messages/cart"; f(m);', "m is used as a value; write m.key"],
  ['import * as m from "messages/cart"; f(m["empty"]);', "a message's key must be written out"],
  [
    'import * as m from "messages/cart"; const t = m.empty();',
    "is called when the module is loaded",
  ],
  ['import("messages/cart");', "messages are imported statically"],
  ["const a = <p>Your cart</p>;", '"Your cart" should be a message'],
  ["const a = <p>{empty ? 'none' : 1}</p>;", '"none" should be a message'],
  ["const a = <p>{`${n} items`}</p>;", '"… items" should be a message'],
  ['const a = <img alt="Mug" />;', '"Mug" should be a message'],
  ['const a = <F label={b || "Name"} />;', '"Name" should be a message'],
  ['toast.error("That did not work.");', '"That did not work." should be a message'],
  ['b.textContent = "Reload";', '"Reload" should be a message'],
  ['const a = [{ label: "Newest" }];', '"Newest" should be a message'],
])("%s is a problem", (code, problem) => {
  expect(read(code).problems).toEqual([expect.stringContaining(problem)]);
});

test.each([
  "const a = <p className='two words'>{b === 'new' ? 1 : 2} · {c && 5}</p>;",
  "throw new Error('The page is not loaded');",
  "type A = 'Two words'; const b = 'Two words' as never as A;".replace(
    "'Two words' as",
    "'two' as",
  ),
  "const a = <p>PayPal</p>;",
  "import 'Two words';",
  "console.error('This went wrong');",
  "const a = { name: 'currency', title: '' };",
])("%s is none", (code) => {
  expect(read(code).problems).toEqual([]);
});
