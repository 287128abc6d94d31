import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { shop } from "../../../test/fixtures";
import { setLanguage } from "../../lib/language";
import {
  checkCode,
  checkEmail,
  checkExistingPassword,
  checkName,
  checkPassword,
  normalizeCode,
  passwordRequirements,
} from "./validation";

test("requires a name", () => {
  expect(checkName("")).toBe("Name is Required");
  expect(checkName("  ")).toBe("Name is Required");
  expect(checkName("Nila")).toBe(true);
});

test("accepts six digits, however they are spaced, and in Bangla", () => {
  for (const code of ["123456", " 123456 ", "123 456", "123-456", "১২৩৪৫৬", "১২৩ ৪৫৬"]) {
    expect(checkCode(code)).toBe(true);
    expect(normalizeCode(code)).toBe("123456");
  }
  for (const code of ["", "12345", "1234567", "12345a", "১২৩৪৫"]) {
    expect(checkCode(code)).toBe("Please type the six digits.");
  }
});

describe("in Bangla", () => {
  beforeEach(() => setLanguage({ language: "bn", shop }));
  afterEach(() => setLanguage({ language: "en", shop }));

  test("numbers have Bangla digits", () => {
    expect(checkPassword("Aa1!")).toBe("পাসওয়ার্ড অন্তত ৮ অক্ষরের হতে হবে");
    expect(passwordRequirements("")[0]?.label).toBe("৮টি অক্ষর");
  });

  test("a password is taken as it is typed", () => {
    expect(checkPassword("Aaaaaa১!")).not.toBe(true);
    expect(checkPassword("Aaaaaa1!")).toBe(true);
  });
});

describe("an e-mail address", () => {
  test("is required", () => expect(checkEmail(" ")).toBe("Email is required"));

  test.each([
    "nila@example.com",
    " nila@example.com ",
    "n.r+haat@mail.example.co",
    "N@EXAMPLE.COM",
  ])("may be %j", (email) => expect(checkEmail(email)).toBe(true));

  test.each([
    "nila",
    "nila@",
    "@example.com",
    "nila@example",
    "ni la@example.com",
    "n@-a.com",
    "n@a..b",
    ".n@a.b",
    "n..r@a.b",
  ])("may not be %j", (email) => expect(checkEmail(email)).toMatch(/^Please write/));
});

describe("a password", () => {
  test("is required", () => expect(checkPassword("")).toBe("Password is required"));

  test.each(["Aa1!", "Aa1!xxx"])("of %j is too short", (password) =>
    expect(checkPassword(password)).toBe("Password must be 8 characters long"),
  );

  test("of an existing account may be shorter", () => {
    expect(checkExistingPassword("Aa1!x")).toBe("Password must be 6 characters long");
    expect(checkExistingPassword("Aa1!xx")).toBe(true);
    expect(checkExistingPassword("aa1!xx")).toMatch(/^Password must have uppercase/);
  });

  test.each(["aaaaaa1!", "AAAAAAA!", "Aaaaaaa1", "Aaaaaa1%", "Äääääää1"])(
    "%j lacks a requirement",
    (password) =>
      expect(checkPassword(password)).toBe(
        "Password must have uppercase, number and special characters",
      ),
  );

  test.each(["Aaaaaa1!", "1@AAAAAA", "A0#     ", "A0$$$$$$", "Zz9&&&&&", "Zz9*****"])(
    "%j is valid",
    (password) => expect(checkPassword(password)).toBe(true),
  );

  test("shows which requirements it meets", () => {
    const met = (password: string) => passwordRequirements(password).map((part) => part.met);
    expect(met("")).toEqual([false, false, false, false]);
    expect(met("A1")).toEqual([false, true, true, false]);
    expect(met("Market#1")).toEqual([true, true, true, true]);
  });
});
