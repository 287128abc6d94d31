// The server's errors at the fields of a form with an address.
import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import type { CountryName, Field } from "../../lib/api.gen";
import { loadedForm } from "./address-form";

// The fields of an order and of an address book, as the server names them, in the order of the form.
export function askedFields(countries: CountryName[], country: string): string[] {
  if (countries.length === 0) return ["name", "phone", "address"];
  const parts = loadedForm(country)?.rows.flat() ?? [];
  const fields = parts.map(({ field }) => `address.${field}`);
  return ["name", "phone", ...(countries.length > 1 ? ["address.country"] : []), ...fields];
}

// Moves the focus to the first. Returns whether all of the errors have a field.
export function showFieldErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  errors: Field[],
  asked: string[],
): boolean {
  const shown = asked.flatMap((name) => errors.find((error) => error.name === name) ?? []);
  for (const [index, { name, message }] of shown.entries())
    form.setError(inForm(name) as Path<Values>, { message }, { shouldFocus: index === 0 });
  return errors.every(({ name }) => asked.includes(name));
}

function inForm(name: string): string {
  return name.replace(/^address\./, "parts.");
}
