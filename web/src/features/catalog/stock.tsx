import styles from "./stock.module.css";

export function Stock({ left }: { left: number }) {
  if (left === 0) return <p className={styles.gone}>Out of stock</p>;
  return (
    <p className={styles.stock}>
      In stock{left < 5 && <span className={styles.few}>only {left} left</span>}
    </p>
  );
}
