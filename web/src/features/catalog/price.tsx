import * as m from "messages/catalog";
import { cents } from "../../lib/money";
import { useMoney } from "../../lib/shop-context";
import { hidden } from "../../ui/visually-hidden";
import styles from "./price.module.css";

type Props = { real: number; buy: number; large?: boolean };

// The current price and, while on sale, the list price struck through.
export function Price({ real, buy, large = false }: Props) {
  const money = useMoney();
  const reduced = buy < real;
  return (
    <p className={large ? styles.large : styles.price}>
      <span className={reduced ? styles.reduced : undefined}>{money(cents(buy))}</span>
      {reduced && <s>{m.insteadOf({ price: money(cents(real)), hidden })}</s>}
    </p>
  );
}
