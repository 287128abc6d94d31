import fc from "fast-check";
import { expect, test } from "vitest";
import { cardName, cardNameParts, paragraphs, truncate } from "./text";

test("a name of 70 characters stays whole", () => {
  const name = "x".repeat(70);
  expect(cardName(name)).toBe(name);
});

test("a longer one ends at a word", () => {
  const name =
    "Portable speaker with a woven cover that fills a room and runs for twenty hours on one charge";
  expect(cardName(name)).toBe(
    "Portable speaker with a woven cover that fills a room and runs for…",
  );
});

test("keeps a word that ends right at the limit", () => {
  expect(truncate("one two three", 8)).toBe("one two…");
});

test("truncates a single long word inside the word", () => {
  expect(cardName("x".repeat(80))).toBe(`${"x".repeat(69)}…`);
});

test("splits no characters, and leaves no comma before the ellipsis", () => {
  expect(truncate("😀😀😀😀", 3)).toBe("😀😀…");
  expect(truncate("a mug, a vase, a lamp", 15)).toBe("a mug, a vase…");
});

test("is never longer than the limit", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc.integer({ min: 2, max: 90 }),
      (text, most) => {
        return Array.from(truncate(text, most)).length <= most;
      },
    ),
  );
});

test("splits paragraphs at empty lines", () => {
  const words = paragraphs("One\nstill one.\n\n \nTwo.\n").map(({ text }) => text);
  expect(words).toEqual(["One\nstill one.", "Two."]);
  expect(paragraphs("")).toEqual([]);
});

test("truncates highlighted parts like the whole name", () => {
  const parts = [
    { text: "Desk ", hit: false },
    { text: "Lamp", hit: true },
    { text: ` ${"very ".repeat(20)}`, hit: false },
    { text: "lamp", hit: true },
  ];
  const shown = cardNameParts(parts);
  expect(shown.slice(0, 2)).toEqual(parts.slice(0, 2));
  expect(shown.at(-1)).toEqual({ text: "…", hit: false });
  const part = fc.record({ text: fc.string({ maxLength: 40 }), hit: fc.boolean() });
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = (of: typeof parts) => of.map(({ text }) => text).join("");
      expect(text(cardNameParts(parts))).toBe(cardName(text(parts)));
    }),
  );
});
