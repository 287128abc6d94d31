import { expect, test } from "vitest";
import type { AddressForm } from "../../../lib/api.gen";
import { destinationFields } from "./destination-fields";

const form = (fields: string[], regions: AddressForm["regions"]) =>
  ({
    country: "BD",
    rows: fields.map((field) => [{ field, label: field, required: true }]),
    regions,
  }) as unknown as AddressForm;
const fields = (of: AddressForm) => destinationFields(of).map(({ field }) => field);

test("asks for what is chosen from lists and for the postcode, the larger place first", () => {
  const all = ["lines", "postcode", "city", "district", "region"];
  const dhaka = { key: "Dhaka", name: "Dhaka" };
  expect(fields(form(all, [{ ...dhaka, parts: [dhaka] }]))).toEqual([
    "region",
    "district",
    "postcode",
  ]);
  expect(fields(form(all, [dhaka]))).toEqual(["region", "postcode"]);
  expect(fields(form(all, []))).toEqual(["postcode"]);
  expect(fields(form(["lines", "city"], []))).toEqual([]);
});
