import { afterEach, expect, test } from "vitest";
import { setLanguage } from "../../lib/language";
import { refusalSentence } from "./refusal-sentence";

const speak = (language: string) => setLanguage({ language, shop: { languages: ["en", "bn"] } });

const say = (code: string, params: Record<string, string> = {}, currency = "USD") =>
  refusalSentence({ code, message: "", params }, currency);

afterEach(() => speak("en"));

test("amounts are in the shopper's currency and digits", () => {
  expect(say("code_min_sub_total", { least: "50.00", missing: "12.00" })).toBe(
    "$12 to go: it needs goods for $50.",
  );
  expect(say("code_min_sub_total", { least: "50.00", missing: "12.05" })).toContain("$12.05");
  expect(say("code_min_sub_total", { least: "6025.00", missing: "1446" }, "BDT")).toBe(
    "৳1,446 to go: it needs goods for ৳6,025.",
  );
  speak("bn");
  expect(say("code_min_sub_total", { least: "602500", missing: "1446" }, "BDT")).toBe(
    "আরও ৳১,৪৪৬ লাগবে: এর জন্য ৳৬,০২,৫০০-এর পণ্য দরকার।",
  );
});

test("numbers of items and currencies are named", () => {
  expect(say("code_min_quantity", { least: "3", missing: "1" })).toBe(
    "1 more to go: it needs 3 items.",
  );
  expect(say("code_other_currency", { currencies: "EUR, BDT" })).toBe(
    "It is for orders in EUR, BDT.",
  );
  speak("bn");
  expect(say("code_min_quantity", { least: "12", missing: "10" })).toBe(
    "আরও ১০টি লাগবে: এর জন্য ১২টি পণ্য দরকার।",
  );
});

test.each([
  "unknown_code",
  "code_used_up",
  "code_ended",
  "code_not_started",
  "code_not_now",
  "code_first_order",
  "code_no_effect",
  "code_other_country",
  "code_other_group",
  "code_needs_account",
  "code_already_used",
  "code_no_goods",
  "code_gift_missing",
  "better_offer",
])("%s has a sentence of its own in both languages", (code) => {
  const english = say(code);
  expect(english).not.toBe(say("code_of_a_newer_server"));
  speak("bn");
  expect(say(code)).toMatch(/^\p{Script=Bengali}/u);
});
