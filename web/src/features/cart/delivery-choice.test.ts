import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  deliveryChoice,
  destinationOf,
  fitChoice,
  isSameDestination,
  readChoice,
  wantedDestination,
} from "./delivery-choice";

beforeEach(() => {
  const storage = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, text: string) => storage.set(key, text),
  });
});

afterEach(() => vi.unstubAllGlobals());

const dhaka = { country: "BD", region: "Dhaka", district: "Dhaka", postcode: "1205" };
const none = { destination: null, method: null };
const countries = [
  { code: "BD", name: "Bangladesh" },
  { code: "US", name: "United States" },
];

test("of an address only the destination is kept, never a street", () => {
  const address = { ...dhaka, postcode: " 1205 ", lines: "House 7", city: "Dhanmondi" };
  expect(destinationOf(address)).toEqual(dhaka);
  expect(isSameDestination(dhaka, address)).toBe(true);
  expect(isSameDestination(dhaka, { ...address, district: "Gazipur" })).toBe(false);
});

test("malformed choices are not read", () => {
  expect(readChoice({ destination: dhaka, method: "bike" })).toEqual({
    destination: dhaka,
    method: "bike",
  });
  expect(readChoice({ destination: { ...dhaka, lines: "House 7" }, method: "a b" })).toEqual({
    destination: dhaka,
    method: null,
  });
  const wrong = [{ ...dhaka, country: "bd" }, { ...dhaka, region: 7 }, { country: "BD" }, "BD", []];
  for (const destination of wrong) expect(readChoice({ destination })).toEqual(none);
  for (const found of [null, "BD", 7, []]) expect(readChoice(found)).toEqual(none);
});

test("a country that is not delivered to any more is forgotten", () => {
  const choice = { destination: dhaka, method: "bike" };
  expect(fitChoice(choice, countries)).toBe(choice);
  expect(fitChoice(choice, countries.slice(1))).toEqual({ ...none, method: "bike" });
  expect(fitChoice(choice, [])).toEqual({ ...none, method: "bike" });
});

test("without a choice it goes to the shop's own country", () => {
  expect(wantedDestination({ destination: dhaka }, countries)).toBe(dhaka);
  const own = { country: "BD", region: "", district: "", postcode: "" };
  expect(wantedDestination(none, countries)).toEqual(own);
  expect(wantedDestination(none, [])).toBeNull();
});

test("keeps destination and method until they are cleared", () => {
  deliveryChoice.setDestination(dhaka);
  deliveryChoice.setMethod("bike");
  expect(deliveryChoice.get()).toEqual({ destination: dhaka, method: "bike" });
  deliveryChoice.setMethod(null);
  expect(deliveryChoice.get()).toEqual({ destination: dhaka, method: null });
  deliveryChoice.clear();
  expect(deliveryChoice.get()).toEqual(none);
});
