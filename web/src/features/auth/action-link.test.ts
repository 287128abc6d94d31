import fc from "fast-check";
import { expect, test } from "vitest";
import { parseActionLink } from "./action-link";

const ORIGIN = "https://shop.example";
const read = (query: string) => parseActionLink(`${ORIGIN}/auth/action${query}`);

test.each(["verifyEmail", "resetPassword", "verifyAndChangeEmail", "recoverEmail", "signIn"])(
  "reads the mode of an action link: %s",
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
])("treats missing or malformed parameters as absent: %s", (query) => {
  expect(read(query)).toEqual({ mode: null, code: null, next: "/" });
});

test("a code may be missing while the rest is there", () => {
  expect(read("?mode=verifyEmail")).toEqual({ mode: "verifyEmail", code: null, next: "/" });
});

test("continues only within the shop", () => {
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

test("no URL leads away from the shop or throws", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (mode, code, next) => {
      const link = read(`?${new URLSearchParams({ mode, oobCode: code, continueUrl: next })}`);
      expect(new URL(link.next, ORIGIN).origin).toBe(ORIGIN);
      expect(link.code ?? "ok").toMatch(/^[\w-]+$/);
    }),
  );
});
