import type { CSSProperties } from "react";
import styles from "./stars.module.css";

// One element, however many stars: lists are full of them.
export function Stars({ rating }: { rating: number }) {
  return (
    <span
      className={styles.stars}
      role="img"
      aria-label={`Rated ${rating} out of 5`}
      style={{ "--part": `${rating * 20}%` } as CSSProperties}
    />
  );
}
