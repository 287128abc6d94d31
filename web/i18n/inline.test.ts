import { expect, test } from "vitest";
import type { Catalogue } from "./catalogue.ts";
import { inlineMessages } from "./inline.ts";

const cart = {
  empty: 'Your "cart" is `empty`',
  remove: "Remove {name}",
  items: "{n, plural, one {# item} other {# items}} of {name}",
  bold: "<b>Bold</b>",
};
const catalogue: Catalogue = new Map([
  ["en", new Map([["cart", cart]])],
  ["bn", new Map([["cart", { empty: "আপনার কার্ট খালি" }]])],
]);

const IMPORT = 'import * as m from "messages/cart";';
const around = (expression: string) => `\nconst আ = "😀", a = ${expression};\n`;
const inline = (code: string, language = "en") =>
  inlineMessages(catalogue, language, IMPORT + around(code));

test("texts are put where they are used", () => {
  const text = JSON.stringify(cart.empty);
  expect(inline("[m.empty(), m.empty()]")).toBe(around(`[${text}, ${text}]`));
  expect(inline("{ label: m.empty }")).toBe(around(`{ label: (() => ${text}) }`));
  expect(inline("m.empty()", "bn")).toBe(around('"আপনার কার্ট খালি"'));
});

test("with their arguments, which may be messages too", () => {
  expect(inline("m.remove({ name: product.name })")).toBe(around("`Remove ${product.name}`"));
  expect(inline("[m.remove({ name }), 1]")).toBe(around("[`Remove ${name}`, 1]"));
  expect(inline("m.remove({ name: b ? m.empty() : m.remove({ name: c }) })")).toBe(
    around(`\`Remove \${(b ? ${JSON.stringify(cart.empty)} : \`Remove \${c}\`)}\``),
  );
});

test("with what they need", () => {
  const code = inline("m.items({ n, name: shop.name })");
  expect(code).not.toContain(IMPORT);
  expect(code).toContain('($plural_en(n) === "one" ? `${$number(n)} item` : ');
  expect(code).toMatch(
    /^import \{ formatNumber as \$number \} from "[^"]*\/src\/lib\/numbers\.ts";\n/,
  );
  expect(code).toContain('import { $plural_en } from "messages/:plurals";');
});

test.each([
  "m.items({ n: count(), name })",
  "m.bold({ b })",
  "m.remove(product)",
  "m.remove({ ...product })",
  "m.remove",
  "m[key]",
])("%s stays a call", (code) => {
  expect(inline(`[${code}, m.empty()]`)).toBe(
    IMPORT + around(`[${code}, ${JSON.stringify(cart.empty)}]`),
  );
});

test.each(["other.empty()", "o.empty"])("%s is no message", (code) => {
  expect(inline(code)).toBe(around(code));
});
