import { afterEach, expect, test } from "vitest";
import { withSentences } from "./error-sentences";
import { setLanguage } from "./language";

const speak = (language: string) => setLanguage({ language, shop: { languages: ["en", "bn"] } });

const message = (code: string, params: Record<string, string>) =>
  withSentences({ code, message: "", params }).message;

afterEach(() => speak("en"));

test("amounts have the language's digits and grouping", () => {
  const params = { most: "$1,000,000.00", amount: "$1,234,567.05" };
  expect(message("too_much_unpaid", params)).toMatch(/\$1,000,000\.00,.* \$1,234,567\.05\./);
  expect(message("too_long", { most: "1000" })).toContain("1,000");
  speak("bn");
  const francs = { most: "৳1,000,000", amount: "CHF\u00a01,234.50" };
  expect(message("too_much_unpaid", francs)).toMatch(/৳১০,০০,০০০ .* CHF\u00a0১,২৩৪\.৫০।/);
  expect(message("too_much_unpaid", params)).toMatch(/\$১০,০০,০০০\.০০ .* \$১২,৩৪,৫৬৭\.০৫।/);
  expect(message("too_long", { most: "1000" })).toContain("১,০০০");
});

test("other parameters stay as they are", () => {
  speak("bn");
  expect(message("method_not_allowed", { method: "PATCH" })).toContain("PATCH");
});

test("examples have the language's digits, and no grouping", () => {
  expect(message("bad_postcode", { example: "95014" })).toBe("Please write it like 95014");
  expect(message("bad_phone", { example: "+12015550123" })).toMatch(/like \+12015550123$/);
  expect(message("bad_phone", {})).toMatch(/like \+880 1700 000 000$/);
  speak("bn");
  expect(message("bad_postcode", { example: "1205" })).toMatch(/: ১২০৫$/);
  expect(message("bad_phone", {})).toMatch(/যেমন \+৮৮০ ১৭০০ ০০০ ০০০$/);
});

test("a field may have a sentence of its own", () => {
  const sentenceOf = (name: string) => {
    const field = { name, code: "too_many_lines", message: "", params: { most: "3" } };
    return withSentences({ code: "invalid", message: "", fields: [field] }).fields?.[0]?.message;
  };
  expect(sentenceOf("lines")).toBe("At most 3 products.");
  expect(sentenceOf("address.lines")).toBe("At most 3 lines.");
});
