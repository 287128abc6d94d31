import * as m from "messages/reviews";
import type { CSSProperties } from "react";
import type { ReviewSummary } from "../../../lib/api.gen";
import { digits, formatNumber } from "../../../lib/numbers";
import { Stars } from "../../../ui/stars";
import { tenths } from "../review-api";
import styles from "./rating-summary.module.css";

const STARS = [5, 4, 3, 2, 1];

// The mean rating and its distribution.
export function RatingSummary({
  summary: { rating, count: all, stars },
}: {
  summary: ReviewSummary;
}) {
  return (
    <div className={styles.summary}>
      <p className={styles.mean}>
        <b aria-hidden>{digits(tenths(rating).toFixed(1))}</b>
        <span>
          <Stars rating={rating} />
          <span className={styles.count}>{m.count({ count: all })}</span>
        </span>
      </p>
      <ul className={styles.parts}>
        {STARS.map((star) => {
          const given = stars[star - 1] ?? 0;
          return (
            <li key={star}>
              <span className="visually-hidden">{m.starCount({ stars: star, count: given })}</span>
              <span aria-hidden>{digits(star)}</span>
              <span
                className={styles.bar}
                style={{ "--part": `${(given / all) * 100}%` } as CSSProperties}
                aria-hidden
              />
              <span className={styles.given} aria-hidden>
                {formatNumber(given)}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
