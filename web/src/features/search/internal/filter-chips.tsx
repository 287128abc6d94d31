import X from "lucide-react/icons/x";
import { type ActiveFilter, type ListingQuery, listingUrl, unfiltered } from "../listing-query";
import styles from "./filter-chips.module.css";

// The active filters; a click removes one.
export function FilterChips({ query, filters }: { query: ListingQuery; filters: ActiveFilter[] }) {
  if (filters.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Filters that are on">
      {filters.map(({ label, without }) => (
        <li key={label}>
          <a className={styles.chip} href={listingUrl(without)}>
            <span className="visually-hidden">Remove </span>
            {label}
            <X size={14} strokeWidth={1.5} aria-hidden />
          </a>
        </li>
      ))}
      <li>
        <a className={styles.clear} href={listingUrl(unfiltered(query))}>
          Clear all
        </a>
      </li>
    </ul>
  );
}
