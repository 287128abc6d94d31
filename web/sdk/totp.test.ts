import { expect, test } from "vitest";
import { decode, hotp } from "./totp";

test("codes are those of RFC 4226, appendix D", () => {
  const key = decode("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  expect(key.toString()).toBe("12345678901234567890");
  expect([0, 1, 2, 9].map((counter) => hotp(key, counter))).toEqual([
    "755224",
    "287082",
    "359152",
    "520489",
  ]);
});
