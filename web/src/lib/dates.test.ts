import { expect, test } from "vitest";
import { longDate } from "./dates";

test("uses the server's time zone", () => {
  expect(longDate("2026-05-03T23:59:59.999Z")).toBe("3 May 2026");
  expect(longDate("2026-12-31")).toBe("31 December 2026");
});
