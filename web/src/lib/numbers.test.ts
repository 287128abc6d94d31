import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { longDate } from "./dates";
import { setLanguage } from "./language";
import { format } from "./money";
import { asciiDigits, digits, formatNumber } from "./numbers";

const speak = (language: string) => setLanguage({ language, shop: { languages: ["en", "bn"] } });
const RUNS = { numRuns: 5_000 };

afterEach(() => speak("en"));

describe.each([
  ["en", "en-US", "en-GB"],
  ["bn", "bn-BD", "bn-BD"],
])("%s agrees with Intl", (language, numbers, dates) => {
  test("in whole numbers", () => {
    speak(language);
    const intl = new Intl.NumberFormat(numbers);
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => formatNumber(value) === intl.format(value)),
      RUNS,
    );
  });

  test("in decimals", () => {
    speak(language);
    const intl = new Intl.NumberFormat(numbers, { maximumFractionDigits: 2 });
    const hundredths = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    fc.assert(
      fc.property(hundredths, (of) => of === 0 || formatNumber(of / 100) === intl.format(of / 100)),
      RUNS,
    );
  });

  test("in amounts of money", () => {
    speak(language);
    const dollars = new Intl.NumberFormat(numbers, { minimumFractionDigits: 2 });
    const taka = new Intl.NumberFormat(numbers);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5_000_000_000 }), (units) => {
        expect(format(units / 100, "USD")).toBe(`$${dollars.format(units / 100)}`);
        expect(format(units, "BDT")).toBe(`৳${taka.format(units)}`);
      }),
      RUNS,
    );
  });

  test("in dates", () => {
    speak(language);
    const intl = new Intl.DateTimeFormat(dates, { dateStyle: "long", timeZone: "UTC" });
    const min = new Date("2000-01-01");
    const max = new Date("2099-12-31");
    fc.assert(
      fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
        expect(longDate(date.toISOString()).replace(",", "")).toBe(
          intl.format(date).replace(",", ""),
        );
      }),
      RUNS,
    );
  });
});

test("Bangla groups in lakh and crore", () => {
  speak("bn");
  expect([0, 999, 1000, 100_000, 12_345_678.5].map(formatNumber)).toEqual([
    "০",
    "৯৯৯",
    "১,০০০",
    "১,০০,০০০",
    "১,২৩,৪৫,৬৭৮.৫",
  ]);
  expect(digits("2026-A")).toBe("২০২৬-A");
});

test("reads the digits of every script", () => {
  expect(asciiDigits("+৮৮০ ১৭১২-৩৪৫৬৭৮, ০৯")).toBe("+880 1712-345678, 09");
  expect(asciiDigits("٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ ０１２３４５６７８９")).toBe(
    "0123456789 ".repeat(3).trim(),
  );
  expect(asciiDigits("०१२३४५६७८९ abc ১০")).toBe("0123456789 abc 10");
});

test("what is written in a language's digits reads back", () => {
  speak("bn");
  fc.assert(fc.property(fc.nat(), (value) => Number(asciiDigits(digits(value))) === value));
});
