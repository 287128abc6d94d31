import { expect, test } from "vitest";
import { dayRange, longDate } from "./dates";
import { setLanguage } from "./language";

test("uses the server's time zone", () => {
  expect(longDate("2026-05-03T23:59:59.999Z")).toBe("3 May 2026");
  expect(longDate("2026-12-31")).toBe("31 December 2026");
});

// As in crates/messages/src/tests.rs.
test("is written in the language", () => {
  const speak = (language: string) => setLanguage({ language, shop: { languages: ["en", "bn"] } });
  speak("bn");
  expect(longDate("2026-05-03T23:59:59.999Z")).toBe("৩ মে ২০২৬");
  expect(longDate("2026-12-31")).toBe("৩১ ডিসেম্বর ২০২৬");
  expect(dayRange("2026-11-22T06:00:00Z", "2026-11-24T06:00:00Z")).toBe("২২–২৪ নভেম্বর");
  speak("en");
});

test("names a month once where days are in the same one", () => {
  expect(dayRange("2026-11-22T06:00:00Z", "2026-11-24T06:00:00Z")).toBe("22–24 November");
  expect(dayRange("2026-11-22", "2026-11-22")).toBe("22 November");
  expect(dayRange("2026-12-30", "2027-01-02")).toBe("30 December – 2 January");
});
