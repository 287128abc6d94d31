import type { CSSProperties } from "react";
import styles from "./stars.module.css";

// One element for all stars: lists have many. The mean is rounded to tenths.
export function Stars({ rating }: { rating: number }) {
  const said = Math.round(rating * 10) / 10;
  return (
    <span
      className={styles.stars}
      role="img"
      aria-label={`Rated ${said} out of 5`}
      style={{ "--part": `${rating * 20}%` } as CSSProperties}
    />
  );
}
