// What the parts of an address are called in a country.
import * as m from "messages/addresses";
import type { AddressFormField } from "../../lib/api.gen";

// The labels of crates/postal-address/src/format.rs; the recipient is asked for elsewhere.
export const LABELS: Record<string, () => string> = {
  lines: m.lines,
  area: m.area,
  county: m.county,
  department: m.department,
  district: m.district,
  division: m.division,
  do_si: m.doSi,
  emirate: m.emirate,
  island: m.island,
  oblast: m.oblast,
  parish: m.parish,
  prefecture: m.prefecture,
  province: m.province,
  state: m.state,
  city: m.city,
  post_town: m.postTown,
  suburb: m.suburb,
  upazila: m.upazila,
  neighborhood: m.neighborhood,
  townland: m.townland,
  village_township: m.villageTownship,
  eircode: m.eircode,
  pin: m.pin,
  postal: m.postal,
  zip: m.zip,
};

export function addressLabel({ label }: Pick<AddressFormField, "label">): string {
  return LABELS[label]?.() ?? label;
}
