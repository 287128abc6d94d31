import { expect, test } from "vitest";
import { typedAddress } from "./typed-address";

test("a phone number is stored in ASCII digits, and the address as it was typed", () => {
  const typed = {
    name: " নীলা ",
    phone: " +৮৮০ ১৭০০-০০০০০০ ",
    address: "১২ মার্কেট রোড\nঢাকা ১২০৫ ",
    usual: true,
  };
  expect(typedAddress(typed)).toEqual({
    name: "নীলা",
    phone: "+880 1700-000000",
    address: "১২ মার্কেট রোড\nঢাকা ১২০৫",
    usual: true,
  });
});
