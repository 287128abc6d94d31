import * as m from "messages/catalog";
import * as common from "messages/common";
import styles from "./stock.module.css";

export function Stock({ left }: { left: number }) {
  if (left === 0) return <p className={styles.gone}>{common.outOfStock()}</p>;
  return (
    <p className={styles.stock}>
      {common.inStock()}
      {left < 5 && <span className={styles.few}>{m.onlyLeft({ count: left })}</span>}
    </p>
  );
}
