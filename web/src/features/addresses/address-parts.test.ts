import { expect, test } from "vitest";
import type { AddressForm } from "../../lib/api.gen";
import {
  choices,
  emptyParts,
  fieldRows,
  fitParts,
  partsToSend,
  sentParts,
  type TypedParts,
  typedParts,
} from "./address-parts";

const field = (field: string, label = field) => ({ field, label, required: true });
const place = (key: string, name = key, parts: AddressForm["regions"] = []) => ({
  key,
  name,
  parts,
});

const BANGLADESH: AddressForm = {
  country: "BD",
  rows: [
    [field("region", "division")],
    [field("district")],
    [field("city", "upazila")],
    [field("lines")],
    [field("postcode", "postal")],
  ],
  regions: [
    place("Dhaka", "ঢাকা", [
      place("Dhaka", "ঢাকা", [place("Dhanmondi", "ধানমন্ডি"), place("Savar", "সাভার")]),
      place("Gazipur", "গাজীপুর", [place("Sreepur", "শ্রীপুর")]),
    ]),
    place("Khulna", "খুলনা", [place("Jashore", "যশোর")]),
  ],
};
const UNITED_STATES: AddressForm = {
  country: "US",
  rows: [[field("lines")], [field("city"), field("region", "state"), field("postcode", "zip")]],
  regions: [place("CA", "California"), place("NY", "New York")],
};
const UNITED_KINGDOM: AddressForm = {
  country: "GB",
  rows: [[field("lines")], [field("city", "post_town")], [field("postcode", "postal")]],
  regions: [],
};

const countries = [
  { code: "BD", name: "Bangladesh" },
  { code: "US", name: "United States" },
];
const typed = (parts: Partial<TypedParts>): TypedParts => ({ ...emptyParts("BD"), ...parts });
const DHANMONDI = typed({
  region: "Dhaka",
  district: "Dhaka",
  city: "Dhanmondi",
  lines: "House 1",
});

test("neighbours stand side by side, and the lines by themselves", () => {
  const rows = (form: AddressForm) => fieldRows(form).map((row) => row.map(({ field }) => field));
  expect(rows(BANGLADESH)).toEqual([["region", "district", "city"], ["lines"], ["postcode"]]);
  expect(rows(UNITED_STATES)).toEqual([["lines"], ["city", "region", "postcode"]]);
  const japan = {
    ...UNITED_STATES,
    rows: [[field("lines"), field("region")], [field("postcode")]],
  };
  expect(rows(japan)).toEqual([["lines"], ["region", "postcode"]]);
});

test("districts are those of the region, cities those of the district", () => {
  const keys = (parts: Partial<TypedParts>) =>
    Object.values(choices(BANGLADESH, typed(parts))).map((list) => list.map(({ key }) => key));
  expect(keys({})).toEqual([["Dhaka", "Khulna"], [], []]);
  expect(keys({ region: "Khulna" })[1]).toEqual(["Jashore"]);
  expect(keys({ region: "Dhaka", district: "Dhaka" })[2]).toEqual(["Dhanmondi", "Savar"]);
});

test("what was chosen for another region goes, what was typed stays", () => {
  const fitted = (parts: Partial<TypedParts>) => fitParts({ ...DHANMONDI, ...parts }, BANGLADESH);
  expect(fitted({})).toEqual({ ...DHANMONDI, city: "ধানমন্ডি" });
  // In the order in which they are chosen.
  expect(fitted({ region: "Khulna" })).toMatchObject({ district: "", city: "Dhanmondi" });
  expect(fitted({ district: "Gazipur" })).toMatchObject({ district: "Gazipur", city: "" });
  expect(fitted({ district: "Gazipur", city: "My village" }).city).toBe("My village");
  expect(fitted({ region: "", district: "", city: "Savar" }).city).toBe("Savar");
});

test("another country keeps what both have", () => {
  const moved = fitParts({ ...DHANMONDI, country: "US" }, UNITED_STATES, BANGLADESH);
  expect(moved).toEqual({ ...emptyParts("US"), lines: "House 1" });
  const american = { country: "GB", region: "NY", city: "New York", postcode: "10001" };
  expect(fitParts(typed(american), UNITED_KINGDOM, UNITED_STATES)).toEqual(
    typed({ ...american, region: "" }),
  );
});

test("a saved address is filled in with its parts, or with its text as lines", () => {
  const parts = { country: "US", lines: ["350 Fifth Ave", "Floor 21"], city: "New York" };
  const saved = { address: "350 Fifth Ave\nFloor 21\nNew York", parts };
  expect(typedParts(saved, countries)).toEqual({
    ...emptyParts("US"),
    city: "New York",
    lines: "350 Fifth Ave\nFloor 21",
  });
  // It is not delivered to any more.
  expect(typedParts(saved, countries.slice(0, 1)).country).toBe("BD");
  const text = { address: "House 12\n\nRoad 5\nDhanmondi\nDhaka", parts: null };
  expect(typedParts(text, countries)).toEqual(
    typed({ lines: "House 12\nRoad 5\nDhanmondi, Dhaka" }),
  );
});

test("parts are sent without blanks, and read back from what was sent", () => {
  const sent = partsToSend(typed({ lines: " House 1 \n\n Road 2", city: " Savar " }));
  expect(sent).toMatchObject({ country: "BD", lines: ["House 1", "Road 2"], city: "Savar" });
  expect(sentParts(sent, countries)).toEqual(typed({ lines: "House 1\nRoad 2", city: "Savar" }));
  expect(sentParts("House 1, Dhaka", countries)).toEqual(typed({ lines: "House 1, Dhaka" }));
});
