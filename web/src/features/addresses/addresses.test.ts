import { expect, test } from "vitest";
import { checkAddress, checkPhone, normalizePhone } from "./addresses";

test("accepts phone numbers that a courier can call", () => {
  for (const good of ["+880 1700 000 000", "1234", "(02) 55-66/77 x8", "০১৭০০ ০০০০০০"]) {
    expect(checkPhone(good), good).toBe(true);
  }
  for (const bad of ["123", "call me", "1".repeat(21), "12+34;rm"]) {
    expect(checkPhone(bad), bad).toMatch(/^Please write a number/);
  }
  expect(checkPhone("  ")).toBe("Phone is required");
  expect(checkAddress(" \n")).toBe("Address is required");
});

test("keeps phone numbers in the digits that everyone reads", () => {
  expect(normalizePhone(" +৮৮০ ১৭০০ ০০০০০৯ ")).toBe("+880 1700 000009");
});
