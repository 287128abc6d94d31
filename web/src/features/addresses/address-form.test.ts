import { afterEach, expect, test, vi } from "vitest";
import { isLoaded, loadAddressForm, loadedForm } from "./address-form";

afterEach(() => vi.unstubAllGlobals());

test("loads the form of a country once, and again after a failure", async () => {
  const fetch = vi.fn<(url: string) => Promise<Response>>();
  vi.stubGlobal("fetch", fetch);
  fetch.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  expect(await isLoaded("GB")).toBe(false);
  const failed = loadAddressForm("GB");
  expect(await isLoaded("GB")).toBe(false);
  await expect(failed).rejects.toThrow("Failed to fetch");
  expect(loadedForm("GB")).toBeUndefined();

  const form = { country: "GB", rows: [], regions: [] };
  fetch.mockImplementation(async () => Response.json(form));
  expect(await Promise.all([loadAddressForm("GB"), loadAddressForm("GB")])).toEqual([form, form]);
  expect(await isLoaded("GB")).toBe(true);
  expect(loadedForm("GB")).toEqual(form);
  expect(fetch.mock.calls.map(([url]) => url)).toEqual(["/api/countries/GB", "/api/countries/GB"]);
});
