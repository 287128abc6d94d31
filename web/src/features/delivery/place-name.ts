// What a destination is called, in the language of the page.
import type { AddressForm, CountryName } from "../../lib/api.gen";
import { digits } from "../../lib/numbers";
import { useShop } from "../../lib/shop-context";
import { useAddressForm } from "../addresses/address-form";
import { choices, emptyParts } from "../addresses/address-parts";
import type { Destination } from "../cart/delivery-choice";

// Null without a destination. Its region and district appear once the lists of the country are loaded.
export function usePlaceName(destination: Destination | null): string | null {
  const { countries } = useShop();
  const isExact = destination !== null && (destination.region || destination.district) !== "";
  const { value: form } = useAddressForm(isExact ? destination.country : "");
  return destination && placeName(destination, countries, form);
}

// "Bangladesh · Dhaka": the country, and the most exact place in it.
export function placeName(
  destination: Destination,
  countries: CountryName[],
  form: AddressForm | null,
): string {
  const { country, region, district, postcode } = destination;
  const name = countries.find(({ code }) => code === country)?.name ?? country;
  const lists =
    form?.country === country ? choices(form, { ...emptyParts(), ...destination }) : null;
  const listed = (places: { key: string; name: string }[] | undefined, part: string) =>
    places?.find(({ key }) => key === part)?.name ?? (lists?.region.length === 0 ? part : "");
  const within = listed(lists?.district, district) || listed(lists?.region, region);
  return [name, [within, digits(postcode)].filter(Boolean).join(" ")].filter(Boolean).join(" · ");
}
