import X from "lucide-react/icons/x";
import { type Chip, type Choice, listingUrl, unfiltered } from "../../lib/finding/choice";
import styles from "./chips.module.css";

// What is on; each goes when it is pressed.
export function Chips({ choice, chips }: { choice: Choice; chips: Chip[] }) {
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Filters that are on">
      {chips.map(({ label, without }) => (
        <li key={label}>
          <a className={styles.chip} href={listingUrl(without)}>
            <span className="visually-hidden">Remove </span>
            {label}
            <X size={14} strokeWidth={1.5} aria-hidden />
          </a>
        </li>
      ))}
      <li>
        <a className={styles.clear} href={listingUrl(unfiltered(choice))}>
          Clear all
        </a>
      </li>
    </ul>
  );
}
