import * as m from "messages/catalog";
import * as common from "messages/common";
import { longDate } from "../../lib/dates";
import styles from "./stock.module.css";

type Props = {
  left: number;
  // The promised date, where it is sold on when it is out of stock.
  backOrder?: string | null;
};

const FEW = 5;

export function Stock({ left, backOrder = null }: Props) {
  if (left === 0) {
    if (backOrder === null) return <p className={styles.gone}>{common.outOfStock()}</p>;
    return <p className={styles.later}>{m.backOrder({ date: longDate(backOrder) })}</p>;
  }
  return (
    <p className={styles.stock}>
      {common.inStock()}
      {left < FEW && <span className={styles.few}>{leftText(left, backOrder)}</span>}
    </p>
  );
}

function leftText(count: number, backOrder: string | null): string {
  if (backOrder === null) return m.onlyLeft({ count });
  return m.leftNow({ count, date: longDate(backOrder) });
}
