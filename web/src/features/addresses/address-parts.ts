// A postal address in parts, as it is typed: its values, and how they fit the lists of a country.
import type {
  AddressForm,
  AddressFormField,
  AddressParts,
  AddressRegion,
  CountryName,
  StoredParts,
  TypedAddress,
} from "../../lib/api.gen";

export type AddressField = "lines" | "city" | "district" | "region" | "postcode";
// `lines` as one text. `region` and `district` are keys where the country has lists of them.
export type TypedParts = Record<"country" | AddressField, string>;
type Choices = Record<"region" | "district" | "city", AddressRegion[]>;

export const MOST_LINES = 3;

export function emptyParts(country = ""): TypedParts {
  return { country, lines: "", city: "", district: "", region: "", postcode: "" };
}

// To edit, or to order with. Of an older address only the text is known, and its country is the
// shop's own; so is that of an address in a country that the shop no longer delivers to.
export function typedParts(
  { address, parts }: { address: string; parts?: StoredParts | null | undefined },
  countries: CountryName[],
): TypedParts {
  const own = countries[0]?.code ?? "";
  if (!parts) return { ...emptyParts(own), lines: fewerLines(address) };
  const country = countries.some(({ code }) => code === parts.country) ? parts.country : own;
  return { ...emptyParts(), ...parts, country, lines: parts.lines.join("\n") };
}

// The same of an address that was sent.
export function sentParts(sent: TypedAddress, countries: CountryName[]): TypedParts {
  const { lines = [], ...parts } = typeof sent === "string" ? {} : sent;
  const text = typeof sent === "string" ? fewerLines(sent) : lines.join("\n");
  return { ...emptyParts(countries[0]?.code), ...parts, lines: text };
}

// As sent: the server leaves out what the country does not use.
export function partsToSend(typed: TypedParts): AddressParts {
  const { country, lines, city, district, region, postcode } = typed;
  return {
    country,
    lines: linesOf(lines),
    city: city.trim(),
    district: district.trim(),
    region: region.trim(),
    postcode: postcode.trim(),
  };
}

export function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

function fewerLines(text: string): string {
  const lines = linesOf(text);
  const first = lines.slice(0, MOST_LINES - 1);
  const rest = lines.slice(MOST_LINES - 1).join(", ");
  return [...first, rest].filter((line) => line !== "").join("\n");
}

// The fields from left to right and from top to bottom: those of one row stand side by side where
// there is room, and so do neighbours that have a row of their own each.
export function fieldRows({ rows }: AddressForm): AddressFormField[][] {
  const fields = rows.flat();
  const grouped: AddressFormField[][] = [];
  for (const field of fields) {
    const row = grouped.at(-1);
    const before = row?.at(-1);
    if (row === undefined || field.field === "lines" || before?.field === "lines")
      grouped.push([field]);
    else row.push(field);
  }
  return grouped;
}

// The lists for what is chosen: regions, districts of the region, cities of the district.
export function choices({ regions }: AddressForm, typed: TypedParts): Choices {
  const districts = findPlace(regions, typed.region)?.parts ?? [];
  const cities = findPlace(districts, typed.district)?.parts ?? [];
  return { region: regions, district: districts, city: cities };
}

// Whether the country has lists of districts.
export function listsDistricts({ regions }: AddressForm): boolean {
  return regions.some(({ parts = [] }) => parts.length > 0);
}

// The parts without what was chosen from lists that are not these: of another region, or of the form
// before, of another country. What was typed stays.
export function fitParts(typed: TypedParts, form: AddressForm, before = form): TypedParts {
  const lists = choices(form, typed);
  const allDistricts = partsOf(before.regions);
  const allCities = partsOf(allDistricts);
  const region = findPlace(lists.region, typed.region);
  const district = findPlace(lists.district, typed.district);
  const city = findPlace(lists.city, typed.city);
  const typedCity = listsDistricts(form) && district === undefined;
  return {
    ...typed,
    region: region?.key ?? (lists.region.length > 0 ? "" : unlisted(typed.region, before.regions)),
    district: district?.key ?? (listsDistricts(form) ? "" : unlisted(typed.district, allDistricts)),
    // Shown by its name, since any other can be typed as well.
    city: city?.name ?? (typedCity ? typed.city : unlisted(typed.city, allCities)),
  };
}

function partsOf(places: AddressRegion[]): AddressRegion[] {
  return places.flatMap(({ parts = [] }) => parts);
}

function unlisted(text: string, places: AddressRegion[]): string {
  return findPlace(places, text) === undefined ? text : "";
}

function findPlace(places: AddressRegion[], text: string): AddressRegion | undefined {
  return places.find(({ key, name }) => text !== "" && (key === text || name === text));
}
