import { type ListingQuery, queryPairs } from "../listing-query";

// The other parameters of the listing as hidden fields. Starts at the first page.
export function HiddenParams({ query, except }: { query: ListingQuery; except: string[] }) {
  return queryPairs({ ...query, page: 1 })
    .filter(([name]) => !except.includes(name))
    .map(([name, value]) => (
      <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
    ));
}
