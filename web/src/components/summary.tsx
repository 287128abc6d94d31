import type { ReactNode } from "react";
import styles from "./summary.module.css";

type Props = { id: string; title: string; busy: boolean; children: ReactNode };

// The panel beside a cart or an order that says what it comes to.
export function Summary({ id, title, busy, children }: Props) {
  return (
    <section className={styles.summary} aria-labelledby={id} aria-busy={busy}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
