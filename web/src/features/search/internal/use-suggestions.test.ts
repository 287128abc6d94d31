import { expect, test } from "vitest";
import { suggestionsUrl } from "./use-suggestions";

test("requests nothing for an empty field", () => {
  expect(suggestionsUrl("", "")).toBeNull();
  expect(suggestionsUrl("   ", "audio")).toBeNull();
});

test("normalises white space and adds the chosen category", () => {
  expect(suggestionsUrl(" desk   la", "")).toBe("/api/search/suggestions?q=desk%20la");
  expect(suggestionsUrl("a&b", "audio")).toBe("/api/search/suggestions?q=a%26b&category=audio");
});

test("truncates long input by characters", () => {
  const q = new URL(suggestionsUrl("🪔".repeat(100), "") ?? "", "http://x").searchParams.get("q");
  expect(q).toBe("🪔".repeat(80));
});
