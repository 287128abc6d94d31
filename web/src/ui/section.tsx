import type { ReactNode } from "react";
import styles from "./section.module.css";

type Props = { id: string; title: string; aside?: ReactNode; children: ReactNode };

export function Section({ id, title, aside, children }: Props) {
  return (
    <section className={`wrap ${styles.section}`} id={id} aria-labelledby={`${id}-title`}>
      <div className={styles.head}>
        <h2 id={`${id}-title`}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
