import { expect, test } from "vitest";
import { longDate, tableDate } from "./dates";
import { setLanguage } from "./language";

test("uses the server's time zone", () => {
  expect(longDate("2026-05-03T23:59:59.999Z")).toBe("3 May 2026");
  expect(longDate("2026-12-31")).toBe("31 December 2026");
});

test("a table has short dates in English, and long ones in Bangla", () => {
  const speak = (language: string) => setLanguage({ language, shop: { languages: ["en", "bn"] } });
  expect(tableDate("2026-05-03T23:59:59.999Z")).toBe("2026-05-03");
  speak("bn");
  expect(tableDate("2026-05-03T23:59:59.999Z")).toBe("৩ মে ২০২৬");
  speak("en");
});
