import { beforeEach, expect, test, vi } from "vitest";
import { takeCodes } from "./code-links";
import { discountCodes } from "./discount-codes";

const toasts: string[] = [];
vi.mock("../../lib/toast", () => ({ toast: { success: (text: string) => toasts.push(text) } }));

beforeEach(() => {
  toasts.length = 0;
  discountCodes.clear();
});

test("takes the codes out of an address and puts them into the cart", async () => {
  const address = new URL("https://shop.example/search?code=spring10&q=lamp&code=EID%E0%A7%A7");
  takeCodes(address);
  expect(address.href).toBe("https://shop.example/search?q=lamp");
  await vi.waitFor(() => expect(discountCodes.all()).toEqual(["SPRING10", "EID1"]));
  expect(toasts).toEqual(["The code SPRING10 is in your cart.", "The code EID1 is in your cart."]);
});

test("does not repeat what cannot be a code", async () => {
  takeCodes(new URL("https://shop.example/?code=Call%20now!&code=A&code=a"));
  await vi.waitFor(() => expect(discountCodes.all()).toEqual(["A"]));
  expect(toasts).toEqual(["The code A is in your cart."]);
});

test("leaves other addresses as they are", () => {
  const address = new URL("https://shop.example/search?q=a%20b");
  takeCodes(address);
  expect(address.href).toBe("https://shop.example/search?q=a%20b");
});
