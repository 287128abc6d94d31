// The form of a country's addresses: loaded once, and kept while the page lives.
import { useCallback } from "react";
import { fetchJson } from "../../lib/api";
import type { AddressForm } from "../../lib/api.gen";
import { digits } from "../../lib/numbers";
import { type AsyncValue, useAsync } from "../../lib/use-async";

const requests = new Map<string, Promise<AddressForm>>();
const forms = new Map<string, AddressForm>();

export function loadAddressForm(country: string): Promise<AddressForm> {
  const known = requests.get(country);
  if (known !== undefined) return known;
  const request = fetchJson<AddressForm>(`/api/countries/${encodeURIComponent(country)}`);
  requests.set(country, request);
  request.then(
    (form) => forms.set(country, form),
    () => requests.delete(country),
  );
  return request;
}

// Undefined until it is loaded.
export function loadedForm(country: string): AddressForm | undefined {
  return forms.get(country);
}

// Whether what is being loaded could be.
export function isLoaded(country: string): Promise<boolean> {
  const request = requests.get(country) ?? Promise.reject(new Error("not loaded"));
  return request.then(
    () => true,
    () => false,
  );
}

// While the form of another country is loading, the value is that of the one before. Without a country
// there is none.
export function useAddressForm(country: string): AsyncValue<AddressForm | null> {
  const load = useCallback(
    () => (country === "" ? Promise.resolve(null) : loadAddressForm(country)),
    [country],
  );
  return useAsync<AddressForm | null>(load);
}

// How telephone numbers are written there.
export function usePhoneExample(country: string): string | undefined {
  const { value } = useAddressForm(country);
  return digits(value?.phoneExample ?? "") || undefined;
}
