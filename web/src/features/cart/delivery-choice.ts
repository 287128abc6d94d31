// Where the shopper's cart goes, as far as it is known, and the chosen delivery method, in localStorage.
// Both are sent with every quote; what they cost, the server decides. Written only in shops with
// delivery zones or tax rates.
import type { CountryName, TypedDestination } from "../../lib/api.gen";
import { isId, persistedStore, useStore } from "../../lib/store";

// Never a street.
export type Destination = Required<TypedDestination>;

export type DeliveryChoice = {
  // Null: the shop's own country.
  destination: Destination | null;
  // Null: the first one that is offered.
  method: string | null;
};

const NONE: DeliveryChoice = { destination: null, method: null };
const LONGEST = 100;

// The parts of a longer address.
export function destinationOf({ country, region, district, postcode }: Destination): Destination {
  const short = (part: string) => part.trim().slice(0, LONGEST);
  return {
    country,
    region: short(region),
    district: short(district),
    postcode: short(postcode),
  };
}

export function isSameDestination(one: Destination, other: Destination): boolean {
  return JSON.stringify(destinationOf(one)) === JSON.stringify(destinationOf(other));
}

// A country that the shop does not deliver to any more is forgotten.
export function fitChoice(choice: DeliveryChoice, countries: CountryName[]): DeliveryChoice {
  const { destination } = choice;
  const isKnown = countries.some(({ code }) => code === destination?.country);
  return destination === null || isKnown ? choice : { ...choice, destination: null };
}

// The chosen one, or the shop's own country; null in a shop without countries.
export function wantedDestination(
  { destination }: Pick<DeliveryChoice, "destination">,
  countries: CountryName[],
): Destination | null {
  const [own] = countries;
  if (destination !== null || own === undefined) return destination;
  return { country: own.code, region: "", district: "", postcode: "" };
}

// What is malformed is dropped.
export function readChoice(found: unknown): DeliveryChoice {
  if (typeof found !== "object" || found === null) return NONE;
  const { destination, method } = found as Partial<Record<keyof DeliveryChoice, unknown>>;
  return {
    destination: isDestination(destination) ? destinationOf(destination) : null,
    method: isId(method) ? method : null,
  };
}

function isDestination(found: unknown): found is Destination {
  if (typeof found !== "object" || found === null) return false;
  const { country, region, district, postcode } = found as Partial<Record<string, unknown>>;
  const isCountry = typeof country === "string" && /^[A-Z]{2}$/.test(country);
  return isCountry && [region, district, postcode].every((part) => typeof part === "string");
}

const store = persistedStore("haat.delivery", readChoice);

// Null in server markup.
export function useDeliveryChoice(): DeliveryChoice | null {
  return useStore(store);
}

export const deliveryChoice = {
  get: store.get,
  setDestination: (destination: Destination) =>
    store.update((choice) => ({ ...choice, destination: destinationOf(destination) })),
  setMethod: (method: string | null) => store.update((choice) => ({ ...choice, method })),
  clear: () => store.update(() => NONE),
};
