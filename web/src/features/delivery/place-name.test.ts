import { afterEach, expect, test } from "vitest";
import type { AddressForm } from "../../lib/api.gen";
import { setLanguage } from "../../lib/language";
import { placeName } from "./place-name";

const speak = (language: string) => setLanguage({ language, shop: { languages: ["en", "bn"] } });
afterEach(() => speak("en"));

const form = (country: string, regions: AddressForm["regions"]) =>
  ({ country, regions, rows: [] }) as unknown as AddressForm;
const countries = [
  { code: "BD", name: "Bangladesh" },
  { code: "DE", name: "Germany" },
];
const bangladesh = form("BD", [
  { key: "Dhaka", name: "ঢাকা বিভাগ", parts: [{ key: "Dhaka", name: "ঢাকা" }] },
]);
const to = (place: object) => ({ country: "BD", region: "", district: "", postcode: "", ...place });

test("names the country and the most exact place in it, as its lists do", () => {
  const name = (place: object) => placeName(to(place), countries, bangladesh);
  expect(name({})).toBe("Bangladesh");
  expect(name({ region: "Dhaka" })).toBe("Bangladesh · ঢাকা বিভাগ");
  expect(name({ region: "Dhaka", district: "Dhaka" })).toBe("Bangladesh · ঢাকা");
  expect(name({ postcode: "1205" })).toBe("Bangladesh · 1205");
  speak("bn");
  expect(name({ region: "Dhaka", postcode: "1205" })).toBe("Bangladesh · ঢাকা বিভাগ ১২০৫");
});

test("shows no key before the lists are loaded, and what was typed where there are none", () => {
  const dhaka = to({ region: "Dhaka" });
  expect(placeName(dhaka, countries, null)).toBe("Bangladesh");
  expect(placeName(dhaka, countries, form("DE", []))).toBe("Bangladesh");
  const berlin = to({ country: "DE", region: "Berlin" });
  expect(placeName(berlin, countries, form("DE", []))).toBe("Germany · Berlin");
});
