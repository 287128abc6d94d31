import * as m from "messages/catalog";
import { useMoney } from "../../lib/shop-context";
import { hidden } from "../../ui/visually-hidden";
import styles from "./price.module.css";

type Props = {
  real: number;
  buy: number;
  // The lowest price, where it depends on what is chosen.
  from?: number | null;
  large?: boolean;
};

// The current price and, while on sale, the list price struck through.
export function Price({ real, buy, from = null, large = false }: Props) {
  const money = useMoney();
  // The list price belongs to `buy`, which may not be the lowest.
  const reduced = buy < real && (from === null || from === buy);
  const price = money(from ?? buy);
  return (
    <p className={large ? styles.large : styles.price}>
      <span className={reduced ? styles.reduced : undefined}>
        {from === null ? price : m.priceFrom({ price })}
      </span>
      {reduced && <s>{m.insteadOf({ price: money(real), hidden })}</s>}
    </p>
  );
}
