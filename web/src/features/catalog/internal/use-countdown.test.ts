import { expect, test } from "vitest";
import { remaining, remainingText } from "./use-countdown";

const SECOND = 1000;
const DAY = 86_400 * SECOND;

test("splits the remaining time", () => {
  const left = 2 * DAY + 3 * 3600 * SECOND + 4 * 60 * SECOND + 5 * SECOND;
  expect(remaining(left)).toEqual({ days: 2, hours: 3, minutes: 4, seconds: 5 });
});

test("rounds seconds up", () => {
  expect(remaining(1).seconds).toBe(1);
  expect(remaining(0).seconds).toBe(0);
  expect(remaining(59_001)).toEqual({ days: 0, hours: 0, minutes: 1, seconds: 0 });
});

test("does not go below zero", () => {
  expect(remaining(-DAY)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
});

test("formats the remaining time", () => {
  expect(remainingText(remaining(DAY + 5 * SECOND))).toBe("1 day 00:00:05");
  expect(remainingText(remaining(2 * DAY))).toBe("2 days 00:00:00");
  expect(remainingText(remaining(61 * SECOND))).toBe("00:01:01");
});
