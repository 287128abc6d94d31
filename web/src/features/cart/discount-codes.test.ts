import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addCode, discountCodes, MAX_CODES, parseCode, readCodes } from "./discount-codes";

beforeEach(() => {
  const storage = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, text: string) => storage.set(key, text),
  });
});

afterEach(() => vi.unstubAllGlobals());

const many = Array.from({ length: MAX_CODES + 1 }, (_, number) => `CODE${number}`);

test("a code has one form, however it is typed", () => {
  expect(parseCode(" spring-10 ")).toBe("SPRING-10");
  expect(parseCode("eid ২০২৬")).toBe("EID2026");
  for (const wrong of ["", " ", "ten%", "ঈদ", "straße", "A".repeat(41)])
    expect(parseCode(wrong), wrong).toBeNull();
});

test("adds a code once, and drops the oldest of too many", () => {
  expect(addCode(["A"], "B")).toEqual(["A", "B"]);
  expect(addCode(["A", "B"], "A")).toEqual(["A", "B"]);
  expect(many.reduce(addCode, [])).toEqual(many.slice(1));
});

test("malformed codes are not read", () => {
  expect(readCodes(["A", "a", "A", 7, null, "", "<b>", "B-1"])).toEqual(["A", "B-1"]);
  expect(readCodes(many)).toHaveLength(MAX_CODES);
  expect(readCodes({ codes: ["A"] })).toEqual([]);
});

test("keeps codes until they are removed or cleared", () => {
  for (const code of ["A", "B", "C"]) discountCodes.add(code);
  discountCodes.remove("A", "C");
  expect(discountCodes.all()).toEqual(["B"]);
  expect(localStorage.getItem("haat.codes")).toBe('{"version":1,"value":["B"]}');
  discountCodes.clear();
  expect(discountCodes.all()).toEqual([]);
});
