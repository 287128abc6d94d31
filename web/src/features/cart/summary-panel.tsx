import type { ReactNode } from "react";
import styles from "./summary-panel.module.css";

type Props = { id: string; title: string; busy: boolean; children: ReactNode };

// The panel with the totals of a cart or an order.
export function SummaryPanel({ id, title, busy, children }: Props) {
  return (
    <section className={styles.summary} aria-labelledby={id} aria-busy={busy}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
