// The fields of a country's addresses that delivery depends on.
import type { AddressForm, AddressFormField } from "../../../lib/api.gen";
import { listsDistricts } from "../../addresses/address-parts";

// The larger place first. Regions and districts only where there are lists of them: what is typed is
// no use before the rest of the address.
export function destinationFields(form: AddressForm): AddressFormField[] {
  const fields = form.rows.flat();
  const named = (name: string) => fields.filter(({ field }) => field === name);
  return [
    ...(form.regions.length > 0 ? named("region") : []),
    ...(listsDistricts(form) ? named("district") : []),
    ...named("postcode"),
  ];
}
