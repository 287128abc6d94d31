import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { shop } from "../../../test/fixtures";
import { setLanguage } from "../../lib/language";
import { addressInItsLanguage, parseActionLink } from "./action-link";

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

describe("in a shop with two languages", () => {
  const visit = (language: string) =>
    setLanguage({ language, shop: { ...shop, languages: ["en", "bn"] } });
  afterEach(() => setLanguage({ language: "en", shop }));

  test("a link without an address continues at home in its language", () => {
    visit("bn");
    expect(read("?mode=verifyEmail").next).toBe("/bn");
    expect(read("?continueUrl=https://example.org/").next).toBe("/bn");
  });

  test("a link that names another language than the page's default leads there", () => {
    visit("en");
    const query = "?mode=signIn&oobCode=a&lang=bn";
    const at = (path: string) => addressInItsLanguage(ORIGIN + path);
    expect(at(`/auth/action${query}`)).toBe(`/bn/auth/action${query}`);
    expect(at(`/bn/auth/action${query}`)).toBeNull();
    expect(at("/bn/auth/action?mode=signIn&lang=en")).toBeNull();
    expect(at("/auth/action?mode=signIn&lang=en")).toBeNull();
    expect(at("/auth/action?mode=signIn&lang=//example.org")).toBeNull();
    expect(at("/auth/action?mode=signIn")).toBeNull();
  });
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
