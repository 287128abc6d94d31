import fc from "fast-check";
import * as cardinals from "make-plural/cardinals";
import { createElement, Fragment, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, describe, expect, test } from "vitest";
import { setLanguage } from "../src/lib/language";
import { formatNumber } from "../src/lib/numbers";
import { compile, ELEMENT, FRAGMENT, NUMBER, pluralName, pluralRule } from "./compile";

type Arguments = Record<string, string | number | ((text: ReactNode) => ReactNode)>;

const rules = new Map<string, unknown>(Object.entries(cardinals));
const LANGUAGES = ["en", "bn", "ar", "pl"];

function speak(language: string): void {
  setLanguage({ language, shop: { languages: ["en", "bn"] } });
}

// What the compiled message says.
function say(language: string, message: string, of: Arguments = {}): unknown {
  const rules = LANGUAGES.map((code) => `const ${pluralName(code)} = ${pluralRule(code)};`);
  const { code } = compile(language, message);
  const names = ["a", NUMBER, ELEMENT, FRAGMENT];
  const body = `${rules.join("\n")}\nreturn ${code};`;
  speak(language);
  return new Function(...names, body)(of, formatNumber, createElement, Fragment);
}

function kinds(message: string): Record<string, string> {
  const found = [...compile("en", message).arguments].map(([name, { kind }]) => [name, kind]);
  return Object.fromEntries(found);
}

beforeEach(() => speak("en"));

describe("text", () => {
  test.each([
    "Your cart is empty",
    'She said "yes"',
    "it's ’quoted’ `back` and \\ slash",
    "costs $5, or ${five}".replace("{five}", "5"),
    "two\nlines\u2028and three",
    "1 < 2 && 3 > 2 <!-- -->",
  ])("%j stays as it is", (text) => {
    expect(say("en", text)).toBe(text);
    expect(say("en", `${text} {name}`, { name: "Mina" })).toBe(`${text} Mina`);
    expect(say("en", `{name} ${text}`, { name: "Mina" })).toBe(`Mina ${text}`);
  });

  test("no text can end the string that it stands in", () => {
    const parts = fc.array(fc.constantFrom("`", "$", "\\", '"', "\n", "'", "a", " ", "\u2028"));
    fc.assert(
      fc.property(parts, parts, (before, after) => {
        const [one, other] = [before.join(""), after.join("")].map((part) =>
          part.replace(/'/g, "’"),
        );
        expect(say("en", `${one}{name}${other}`, { name: "x" })).toBe(`${one}x${other}`);
        expect(say("en", `${one}${other}`)).toBe(`${one}${other}`);
      }),
    );
  });

  test("a dollar before an argument is no code", () => {
    expect(say("en", "$", {})).toBe("$");
    expect(say("en", "From ${price}", { price: "9" })).toBe("From $9");
    expect(say("en", "$'{price}'", {})).toBe("${price}");
  });

  test("inserts text as it is, whatever it is called", () => {
    expect(say("bn", "{delete} {of_2}", { delete: "12", of_2: "a`\\" })).toBe("12 a`\\");
  });
});

describe("numbers", () => {
  test("have the language's digits and grouping", () => {
    expect(say("en", "{n, number} of {m, number}", { n: 1234567, m: 4.5 })).toBe(
      "1,234,567 of 4.5",
    );
    expect(say("bn", "{n, number} / {m, number}", { n: 1234567, m: 4.5 })).toBe("১২,৩৪,৫৬৭ / ৪.৫");
  });

  test("plural `one` is 1 in English, and covers 0 and 1 in Bangla", () => {
    const message = "{count, plural, one {# item} other {# items}}";
    const english = [0, 1, 2, 1000].map((count) => say("en", message, { count }));
    expect(english).toEqual(["0 items", "1 item", "2 items", "1,000 items"]);
    const bangla = [0, 1, 2, 100_000].map((count) => say("bn", message, { count }));
    expect(bangla).toEqual(["০ item", "১ item", "২ items", "১,০০,০০০ items"]);
  });

  test("exact numbers win, and an offset counts from there", () => {
    const message =
      "{n, plural, offset:1 =0 {nobody} =1 {you} one {you and one more} other {you and # more}}";
    const said = [0, 1, 2, 5].map((n) => say("en", message, { n }));
    expect(said).toEqual(["nobody", "you", "you and one more", "you and 4 more"]);
  });

  test("languages with more categories use them", () => {
    const message = "{n, plural, one {plik} few {pliki} many {plików} other {pliku}}";
    const said = [1, 3, 5, 22, 1.5].map((n) => say("pl", message, { n }));
    expect(said).toEqual(["plik", "pliki", "plików", "pliki", "pliku"]);
  });

  test.each(LANGUAGES)("the rules of %s are those of Intl", (language) => {
    const intl = new Intl.PluralRules(language);
    const rule = rules.get(language) as (n: number) => string;
    for (let n = 0; n < 2000; n += 1) expect(rule(n)).toBe(intl.select(n));
  });
});

test("select chooses by a word", () => {
  const message = "{kind, select, refund {Refunded} spent {Spent on {order}} other {Changed}}";
  const say1 = (kind: string) => say("en", message, { kind, order: "H-1" });
  expect([say1("refund"), say1("spent"), say1("else")]).toEqual([
    "Refunded",
    "Spent on H-1",
    "Changed",
  ]);
});

describe("tags", () => {
  const link = (text: ReactNode) => createElement("a", { href: "/terms" }, text);
  const bold = (text: ReactNode) => createElement("b", null, text);
  const html = (language: string, message: string, of: Arguments) =>
    renderToStaticMarkup(say(language, message, of) as ReactNode);

  test("become elements, which can be nested and hold arguments", () => {
    const message = "I agree to <link>the <bold>{what}</bold></link>, {name}.";
    expect(html("en", message, { link, bold, what: "terms & more", name: "Mina" })).toBe(
      'I agree to <a href="/terms">the <b>terms &amp; more</b></a>, Mina.',
    );
  });

  test("can be all of a message, empty, and inside of a plural", () => {
    expect(html("en", "<link>All</link>", { link })).toBe('<a href="/terms">All</a>');
    expect(html("en", "Total: <price></price>!", { price: () => bold("$5") })).toBe(
      "Total: <b>$5</b>!",
    );
    const counted = "{n, plural, one {<bold>#</bold> item} other {<bold>#</bold> items, {m}}}";
    expect(html("bn", counted, { n: 12, m: "x", bold })).toBe("<b>১২</b> items, x");
    expect(compile("en", counted).rich).toBe(true);
  });

  test("need no keys", () => {
    const errors: unknown[] = [];
    const before = console.error;
    console.error = (...words) => errors.push(words);
    html("en", "<bold>One</bold> and <bold>two</bold>", { bold });
    console.error = before;
    expect(errors).toEqual([]);
  });
});

test("knows the arguments", () => {
  const message = "{n, plural, other {# for {name}}} <b>x</b> {k, select, a {A} other {{price}}}";
  expect(kinds(message)).toEqual({
    n: "number",
    name: "text",
    b: "tag",
    k: "select",
    price: "text",
  });
});

test.each([
  ["Hello {name", "EXPECT_ARGUMENT_CLOSING_BRACE"],
  ["{n, plural, one {#}}", "MISSING_OTHER_CLAUSE"],
  ["{n, plural, few {#} other {#}}", "en has no plural category few"],
  ["{n, plural, other {{n}}}", "a number is written {n, number}"],
  ["{n, selectordinal, other {#th}}", "selectordinal is not supported"],
  ["{d, date}", "lib/dates.ts"],
  ["{n, number, percent}", "no style"],
  ["<b>open", "UNCLOSED_TAG"],
])("%s is refused", (message, why) => {
  expect(() => compile("en", message)).toThrow(why);
});
