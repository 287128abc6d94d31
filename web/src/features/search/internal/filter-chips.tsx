import X from "lucide-react/icons/x";
import * as m from "messages/search";
import { hidden } from "../../../ui/visually-hidden";
import { type ActiveFilter, type ListingQuery, listingUrl, unfiltered } from "../listing-query";
import styles from "./filter-chips.module.css";

// The active filters; a click removes one.
export function FilterChips({ query, filters }: { query: ListingQuery; filters: ActiveFilter[] }) {
  if (filters.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label={m.activeFilters()}>
      {filters.map(({ label, without }) => (
        <li key={label}>
          <a className={styles.chip} href={listingUrl(without)}>
            {m.removeFilter({ filter: label, hidden })}
            <X size={14} strokeWidth={1.5} aria-hidden />
          </a>
        </li>
      ))}
      <li>
        <a className={styles.clear} href={listingUrl(unfiltered(query))}>
          {m.clearAll()}
        </a>
      </li>
    </ul>
  );
}
