import type { FieldValues, UseFormReturn } from "react-hook-form";
import { expect, test, vi } from "vitest";
import { loadAddressForm } from "./address-form";
import { askedFields, showFieldErrors } from "./field-errors";

test("errors stand at their fields, and the first one has the focus", async () => {
  const fields = ["lines", "city", "postcode"];
  const rows = fields.map((field) => [{ field, label: field, required: true }]);
  vi.stubGlobal("fetch", async () => Response.json({ country: "GB", rows, regions: [] }));
  await loadAddressForm("GB");
  vi.unstubAllGlobals();
  const countries = ["BD", "GB"].map((code) => ({ code, name: code }));
  const asked = askedFields(countries, "GB");
  expect(asked).toEqual(["name", "phone", "address.country", ...fields.map((f) => `address.${f}`)]);
  expect(askedFields(countries.slice(1), "GB")).not.toContain("address.country");
  expect(askedFields([], "")).toEqual(["name", "phone", "address"]);

  const setError = vi.fn();
  const form = { setError } as unknown as UseFormReturn<FieldValues>;
  const error = (name: string) => ({ name, code: "required", message: `${name}!` });
  const wrong = ["address.postcode", "phone", "address.city"].map(error);
  expect(showFieldErrors(form, wrong, asked)).toBe(true);
  expect(setError.mock.calls).toEqual([
    ["phone", { message: "phone!" }, { shouldFocus: true }],
    ["parts.city", { message: "address.city!" }, { shouldFocus: false }],
    ["parts.postcode", { message: "address.postcode!" }, { shouldFocus: false }],
  ]);
  expect(showFieldErrors(form, [error("total")], asked)).toBe(false);
});
