import { expect, test } from "vitest";
import { checkAddress, checkPhone, joinName, savedAddresses, splitName } from "./billing-rules";

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

test("joins and splits names", () => {
  expect(joinName(" Nila ", " Rahman ")).toBe("Nila Rahman");
  expect(joinName("Nila", " ")).toBe("Nila");
  expect(splitName("Nila Sultana  Rahman")).toEqual({ first: "Nila Sultana", last: "Rahman" });
  expect(splitName("Nila")).toEqual({ first: "Nila", last: "" });
});

test("lists each address once: from the address book, or as last written", () => {
  const orders = [
    { phone: "2", address: "House 1\nDhaka" },
    { phone: "1", address: "house 1 Dhaka" },
    { phone: "1", address: "Khulna" },
  ];
  expect(savedAddresses([], orders)).toEqual([orders[0], orders[2]]);
  const sister = { name: "Rima", phone: "3", address: "KHULNA" };
  expect(savedAddresses([sister], orders)).toEqual([sister, orders[0]]);
});
