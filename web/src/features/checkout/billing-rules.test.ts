import { expect, test } from "vitest";
import { joinName, savedAddresses, splitName } from "./billing-rules";

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
