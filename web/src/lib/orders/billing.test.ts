import { expect, test } from "vitest";
import { checkAddress, checkPhone, joinedName, knownPlaces, splitName } from "./billing";

test("a phone number is one that a courier can call", () => {
  for (const good of ["+880 1700 000 000", "1234", "(02) 55-66/77 x8", "০১৭০০ ০০০০০০"]) {
    expect(checkPhone(good), good).toBe(true);
  }
  for (const bad of ["123", "call me", "1".repeat(21), "12+34;rm"]) {
    expect(checkPhone(bad), bad).toMatch(/^Please write a number/);
  }
  expect(checkPhone("  ")).toBe("Phone is required");
  expect(checkAddress(" \n")).toBe("Address is required");
});

test("two names are one, with one space", () => {
  expect(joinedName(" Nila ", " Rahman ")).toBe("Nila Rahman");
  expect(joinedName("Nila", " ")).toBe("Nila");
  expect(splitName("Nila Sultana  Rahman")).toEqual({ first: "Nila Sultana", last: "Rahman" });
  expect(splitName("Nila")).toEqual({ first: "Nila", last: "" });
});

test("a place is known once: from the book, or as it was written last", () => {
  const orders = [
    { phone: "2", address: "House 1\nDhaka" },
    { phone: "1", address: "house 1 Dhaka" },
    { phone: "1", address: "Khulna" },
  ];
  expect(knownPlaces([], orders)).toEqual([orders[0], orders[2]]);
  const sister = { name: "Rima", phone: "3", address: "KHULNA" };
  expect(knownPlaces([sister], orders)).toEqual([sister, orders[0]]);
});
