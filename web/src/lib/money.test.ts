import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { setLanguage } from "./language";
import { currencySign, format, minus, plain, saving, sum, times } from "./money";

const speak = (language: string) => setLanguage({ language, shop: { languages: ["en", "bn"] } });

afterEach(() => speak("en"));

const DECIMALS = { JPY: 0, USD: 2, BDT: 2, CHF: 2, KWD: 3 };
const aCurrency = fc.constantFrom(...(Object.keys(DECIMALS) as (keyof typeof DECIMALS)[]));
// A currency, and whole minor units: up to 50 million dollars, which is exact in a double.
const units = fc.integer({ min: -5_000_000_000, max: 5_000_000_000 });
const decimal = (units: number, currency: keyof typeof DECIMALS) =>
  units / 10 ** DECIMALS[currency];

describe("writes amounts", () => {
  test.each([
    ["USD", 0, "$0.00"],
    ["USD", 0.05, "$0.05"],
    ["USD", 1234.5, "$1,234.50"],
    ["USD", 1_000_000, "$1,000,000.00"],
    ["USD", -5, "-$5.00"],
    ["EUR", 19.99, "€19.99"],
    ["GBP", 0.1 + 0.2, "£0.30"],
    ["BDT", 1235, "৳1,235"],
    ["BDT", 148_757, "৳148,757"],
    ["BDT", 1234.5, "৳1,234.50"],
    ["BDT", -1234.05, "-৳1,234.05"],
    ["BDT", 0, "৳0"],
    ["JPY", 1235, "¥1,235"],
    ["KRW", 1_000_000, "KRW\u00a01,000,000"],
    ["KWD", 1.5, "KWD\u00a01.500"],
    ["KWD", 1234.567, "KWD\u00a01,234.567"],
    ["CHF", 12.5, "CHF\u00a012.50"],
    ["CHF", -12.5, "-CHF\u00a012.50"],
  ])("%s %d", (currency, amount, text) => {
    expect(format(amount, currency)).toBe(text);
  });

  test.each([
    ["USD", 1234.5, "$১,২৩৪.৫০"],
    ["BDT", 148_757, "৳১,৪৮,৭৫৭"],
    ["BDT", 12_345_678.25, "৳১,২৩,৪৫,৬৭৮.২৫"],
    ["BDT", -5, "-৳৫"],
    ["JPY", 100_000, "¥১,০০,০০০"],
    ["KWD", 1.25, "KWD\u00a0১.২৫০"],
    ["CHF", 12.5, "CHF\u00a0১২.৫০"],
  ])("in Bangla: %s %d", (currency, amount, text) => {
    speak("bn");
    expect(format(amount, currency)).toBe(text);
  });

  test("short, without zero decimals", () => {
    expect(format(20, "USD", true)).toBe("$20");
    expect(format(20.5, "USD", true)).toBe("$20.50");
    expect(format(20, "CHF", true)).toBe("CHF\u00a020");
    expect(format(20.5, "BDT", true)).toBe("৳20.50");
  });

  test("that read back as the same", () => {
    fc.assert(
      fc.property(aCurrency, units, (currency, of) => {
        const amount = decimal(of, currency);
        const text = format(amount, currency);
        expect(text).toMatch(/^-?([$৳¥]|[A-Z]{3}\u00a0)\d{1,3}(,\d{3})*(\.\d{2,3})?$/);
        expect(Number(text.replace(/[^-\d.]/g, "")) + 0).toBe(amount);
      }),
    );
  });
});

test("signs", () => {
  expect(["USD", "BDT", "CHF", "KRW"].map(currencySign)).toEqual(["$", "৳", "CHF", "KRW"]);
});

test("plain amounts have no sign and no groups", () => {
  expect(plain(1234.5, "USD")).toBe("1234.50");
  expect(plain(148_757, "BDT")).toBe("148757.00");
  expect(plain(1235, "JPY")).toBe("1235");
  expect(plain(1.5, "KWD")).toBe("1.500");
  speak("bn");
  expect(plain(1234.5, "USD")).toBe("1234.50");
});

describe("arithmetic is exact", () => {
  test("in decimals that binary numbers do not have", () => {
    expect(sum([0.1, 0.2], "USD")).toBe(0.3);
    expect(sum([], "USD")).toBe(0);
    expect(times(0.1, 3, "USD")).toBe(0.3);
    expect(times(1.005, 3, "KWD")).toBe(3.015);
    expect(minus(1.1, 1, "USD")).toBe(0.1);
    expect(times(1271, 3, "BDT")).toBe(3813);
  });

  test("in every currency", () => {
    const some = fc.array(units, { maxLength: 100 });
    fc.assert(
      fc.property(aCurrency, some, (currency, all) => {
        const total = all.reduce((sum, of) => sum + of, 0);
        expect(
          sum(
            all.map((of) => decimal(of, currency)),
            currency,
          ),
        ).toBe(decimal(total, currency));
      }),
    );
    fc.assert(
      fc.property(aCurrency, units, fc.integer({ min: 1, max: 100 }), (currency, of, quantity) => {
        const amount = decimal(of, currency);
        expect(times(amount, quantity, currency)).toBe(decimal(of * quantity, currency));
        expect(minus(amount, amount, currency)).toBe(0);
      }),
    );
  });
});

test("never overstates a saving", () => {
  expect(saving(249, 199, "USD")).toBe(20);
  expect(saving(0.3, 0.27, "USD")).toBe(10);
  expect(saving(10, 10, "USD")).toBe(0);
  expect(saving(0, 0, "USD")).toBe(0);
  expect(saving(1000, 900, "JPY")).toBe(10);
  const prices = fc.integer({ min: 0, max: 5_000_000_000 });
  fc.assert(
    fc.property(aCurrency, prices, prices, (currency, one, other) => {
      const [buy, real] = one < other ? [one, other] : [other, one];
      const percent = saving(decimal(real, currency), decimal(buy, currency), currency);
      return percent * real <= (real - buy) * 100;
    }),
  );
});
