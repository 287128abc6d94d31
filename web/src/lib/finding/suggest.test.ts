import { expect, test } from "vitest";
import { questionOf } from "./suggest";

test("nothing typed asks nothing", () => {
  expect(questionOf("", "")).toBeNull();
  expect(questionOf("   ", "audio")).toBeNull();
});

test("a question has the words in one line, and the category where one is chosen", () => {
  expect(questionOf(" desk   la", "")).toBe("/api/search/suggestions?q=desk%20la");
  expect(questionOf("a&b", "audio")).toBe("/api/search/suggestions?q=a%26b&category=audio");
});

test("what is too long is cut, but never within a letter", () => {
  const q = new URL(questionOf("🪔".repeat(100), "") ?? "", "http://x").searchParams.get("q");
  expect(q).toBe("🪔".repeat(80));
});
