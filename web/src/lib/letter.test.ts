import fc from "fast-check";
import { expect, test } from "vitest";
import { readLetter } from "./letter";

const ORIGIN = "https://shop.example";
const read = (query: string) => readLetter(`${ORIGIN}/auth/action${query}`);

test.each(["verifyEmail", "resetPassword", "verifyAndChangeEmail", "recoverEmail", "signIn"])(
  "a letter's link says what it is for: %s",
  (mode) => {
    expect(read(`?mode=${mode}&lang=en&oobCode=Ab-9_z&apiKey=haat`)).toEqual({
      mode,
      code: "Ab-9_z",
      next: "/",
    });
  },
);

test.each([
  "",
  "?",
  "?mode=&oobCode=",
  "?mode=verifyemail&oobCode=%20",
  "?mode=toString&oobCode=a%26b",
  "?mode=revertSecondFactorAddition&oobCode=<script>",
  `?oobCode=${"a".repeat(513)}`,
])("what is missing or makes no sense counts as left out: %s", (query) => {
  expect(read(query)).toEqual({ mode: null, code: null, next: "/" });
});

test("a code may be missing while the rest is there", () => {
  expect(read("?mode=verifyEmail")).toEqual({ mode: "verifyEmail", code: null, next: "/" });
});

test("goes on within the shop", () => {
  const next = (address: string) => read(`?continueUrl=${encodeURIComponent(address)}`).next;
  expect(next(`${ORIGIN}/product/lamp?size=2#tabs`)).toBe("/product/lamp?size=2#tabs");
  expect(next("/cart")).toBe("/cart");
  for (const elsewhere of [
    "https://example.org/",
    "https://shop.example.org/",
    "http://shop.example/",
    "https://shop.example:8443/",
    "//example.org/",
    "\\\\example.org",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://",
    "http://[",
  ]) {
    expect(next(elsewhere), elsewhere).toBe("/");
  }
});

test("nothing that an address can hold leads away or breaks it", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (mode, code, next) => {
      const letter = read(`?${new URLSearchParams({ mode, oobCode: code, continueUrl: next })}`);
      expect(new URL(letter.next, ORIGIN).origin).toBe(ORIGIN);
      expect(letter.code ?? "ok").toMatch(/^[\w-]+$/);
    }),
  );
});
