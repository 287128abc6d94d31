import * as m from "messages/ui";
import type { CSSProperties } from "react";
import styles from "./stars.module.css";

// One element for all stars: lists have many. The mean is rounded to tenths.
export function Stars({ rating }: { rating: number }) {
  return (
    <span
      className={styles.stars}
      role="img"
      aria-label={m.rated({ rating: Math.round(rating * 10) / 10 })}
      style={{ "--part": `${rating * 20}%` } as CSSProperties}
    />
  );
}
