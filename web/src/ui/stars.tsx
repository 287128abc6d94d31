import type { CSSProperties } from "react";
import styles from "./stars.module.css";

// One element, however many stars: lists are full of them. A mean is told in tenths.
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
