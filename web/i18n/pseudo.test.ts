import { expect, test } from "vitest";
import { FOLDER, readCatalogue, SOURCE } from "./catalogue";
import { compile } from "./compile";
import { PSEUDO_LOCALES, pseudoMessages } from "./pseudo";

const english = [...(readCatalogue(FOLDER).get(SOURCE) ?? [])];

const say = (code: string, message: string) => pseudoMessages(code, "cart", { message }).message;

test("changes what is said, and nothing else", () => {
  const message = "{n, plural, one {# item} other {# items}} in <b>your {place}</b>, don't '{'";
  expect(say("qpl", message)).toBe(
    "{n, plural, one {# iiteem} other {# iiteems}} iin <b>yyoouurr {place}</b>, doon't '{'",
  );
  expect(say("qpr", "Hello {name}")).toBe("[\u202eHello \u202c{name}]");
});

test("long words are about 40 % longer", () => {
  const plain = english
    .flatMap(([, messages]) => Object.values(messages))
    .filter((message) => !/[{<]/.test(message));
  const longer = plain.map((message) => say("qpl", message) ?? "");
  expect(longer.join("").length / plain.join("").length).toBeCloseTo(1.4, 1);
});

test.each(Object.keys(PSEUDO_LOCALES))("%s takes the arguments of English", (code) => {
  for (const [namespace, messages] of english) {
    const changed = pseudoMessages(code, namespace, messages);
    for (const [key, text] of Object.entries(messages))
      expect([...compile(code, changed[key] ?? "").arguments], key).toEqual([
        ...compile(SOURCE, text).arguments,
      ]);
  }
});
