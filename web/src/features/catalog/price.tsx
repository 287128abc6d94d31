import { cents } from "../../lib/money";
import { useMoney } from "../../lib/shop-context";
import styles from "./price.module.css";

type Props = { real: number; buy: number; large?: boolean };

// The current price and, while on sale, the list price struck through.
export function Price({ real, buy, large = false }: Props) {
  const money = useMoney();
  const reduced = buy < real;
  return (
    <p className={large ? styles.large : styles.price}>
      <span className={reduced ? styles.reduced : undefined}>{money(cents(buy))}</span>
      {reduced && (
        <s>
          <span className="visually-hidden">instead of </span>
          {money(cents(real))}
        </s>
      )}
    </p>
  );
}
