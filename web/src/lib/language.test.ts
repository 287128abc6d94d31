import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { longDate } from "./dates";
import { currentAddressIn, localUrl, setLanguage, splitLanguage } from "./language";
import { loginUrl, orderNumberOf, pageUrl, productUrl } from "./urls";

const speak = (language: string, languages = ["en", "bn"]) =>
  setLanguage({ language, shop: { languages } });

afterEach(() => speak("en"));

describe("in the default language", () => {
  beforeEach(() => speak("en"));

  test("addresses have no prefix", () => {
    expect(localUrl("/cart")).toBe("/cart");
    expect(localUrl("/cart", "bn")).toBe("/bn/cart");
    expect(loginUrl("/bn/cart")).toBe("/login?from=%2Fcart");
  });

  test("dates are English", () => {
    expect(longDate("2026-05-03")).toBe("3 May 2026");
  });
});

describe("in another language", () => {
  beforeEach(() => speak("bn"));

  test("addresses have its prefix", () => {
    expect(localUrl("/")).toBe("/bn");
    expect(localUrl("/?a=1")).toBe("/bn?a=1");
    expect(localUrl("/", "en")).toBe("/");
    expect(productUrl("a b")).toBe("/bn/product/a%20b");
    expect(pageUrl({ url: "/cart?step=checkout", language: "bn" })).toBe("/bn/cart?step=checkout");
    expect(loginUrl()).toBe("/bn/login");
    expect(loginUrl("/account")).toBe("/bn/login?from=%2Fbn%2Faccount");
    expect(loginUrl("/bn/account")).toBe("/bn/login?from=%2Fbn%2Faccount");
    expect(orderNumberOf("/bn/account/orders/h-1")).toBe("H-1");
  });

  test("dates are in its words and digits", () => {
    expect(longDate("2026-05-03")).toBe("৩ মে ২০২৬");
  });

  test("the default may be another", () => {
    speak("en", ["bn", "en"]);
    expect(localUrl("/cart")).toBe("/en/cart");
    expect(localUrl("/cart", "bn")).toBe("/cart");
  });
});

test.each([
  ["/", "en", "/"],
  ["/bn", "bn", "/"],
  ["/bn/", "bn", "/"],
  ["/bn?a=1", "bn", "/?a=1"],
  ["/bn/cart#x", "bn", "/cart#x"],
  ["/bngla", "en", "/bngla"],
  ["/fr/cart", "en", "/fr/cart"],
  ["/en/cart", "en", "/cart"],
])("%s is in %s", (address, language, path) => {
  expect(splitLanguage(address)).toEqual([language, path]);
});

test.each([
  ["/", "", "/", "/bn"],
  ["/track", "?number=H-1", "/track?number=H-1", "/bn/track?number=H-1"],
  ["/bn/auth/action", "?oobCode=a%2Fb#x", "/auth/action?oobCode=a%2Fb#x", undefined],
  ["/bn//other.example/cart", "", "/other.example/cart", "/bn/other.example/cart"],
])("%s%s is shown in another language", (pathname, rest, english, bangla) => {
  const { search, hash } = new URL(pathname + rest, "https://shop.example/");
  vi.stubGlobal("location", { pathname, search, hash });
  expect(currentAddressIn("en")).toBe(english);
  expect(currentAddressIn("bn")).toBe(bangla ?? `/bn${english}`);
  vi.unstubAllGlobals();
});
