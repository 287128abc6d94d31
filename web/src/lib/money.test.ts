import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cents, cents, format, plain, saving, taka } from "./money";

const RATE = 1_205_000;
// Up to 50 million dollars at any likely rate: exact in a double.
const anAmount = fc.integer({ min: 0, max: 5_000_000_000 }).map((whole) => whole as Cents);
const aRate = fc.integer({ min: 1, max: 1_800_000 });

test("converts dollars of the API to cents", () => {
  expect(cents(19.99)).toBe(1999);
  expect(cents(1.005)).toBe(100);
  expect(cents(0.1 + 0.2)).toBe(30);
});

test("amounts with two decimals are exact", () => {
  fc.assert(fc.property(anAmount, (amount) => cents(amount / 100) === amount));
});

describe("dollars", () => {
  test.each([
    [0, "$0.00"],
    [5, "$0.05"],
    [123_450, "$1,234.50"],
    [100_000_000, "$1,000,000.00"],
  ])("%i cents", (amount, text) => {
    expect(format(amount as Cents, "USD", RATE)).toBe(text);
  });

  test("parses back to the same amount", () => {
    fc.assert(
      fc.property(anAmount, (amount) => {
        const text = format(amount, "USD", RATE);
        expect(text).toMatch(/^\$\d{1,3}(,\d{3})*\.\d{2}$/);
        return cents(Number(text.replace(/[$,]/g, ""))) === amount;
      }),
    );
  });
});

describe("taka", () => {
  test.each([
    [123_450, "৳148,757"],
    [0, "৳0"],
    [1, "৳1"],
  ])("%i cents", (amount, text) => {
    expect(format(amount as Cents, "BDT", RATE)).toBe(text);
  });

  test("rounds half a taka up", () => {
    expect(taka(1 as Cents, 500_000)).toBe(1);
    expect(taka(1 as Cents, 499_999)).toBe(0);
  });

  test("is never off by more than a half, and rises with the price", () => {
    fc.assert(
      fc.property(anAmount, aRate, (amount, rate) => {
        const exact = BigInt(amount) * BigInt(rate);
        const shown = BigInt(taka(amount, rate)) * 1_000_000n;
        const off = shown - exact;
        return off <= 500_000n && off > -500_000n;
      }),
    );
    fc.assert(
      fc.property(anAmount, aRate, (amount, rate) => {
        return taka((amount + 1) as Cents, rate) >= taka(amount, rate);
      }),
    );
  });
});

test("never overstates a saving", () => {
  expect(saving(24_900 as Cents, 19_900 as Cents)).toBe(20);
  expect(saving(1000 as Cents, 1000 as Cents)).toBe(0);
  expect(saving(0 as Cents, 0 as Cents)).toBe(0);
  fc.assert(
    fc.property(anAmount, anAmount, (one, other) => {
      const [buy, real] = one < other ? [one, other] : [other, one];
      return saving(real, buy) * real <= (real - buy) * 100;
    }),
  );
});

test("plain amounts have no sign and no groups", () => {
  expect(plain(123_450 as Cents)).toBe("1234.50");
});
