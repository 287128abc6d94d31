import type { ReactNode } from "react";
import { Apart } from "./apart";
import styles from "./section.module.css";

type Props = {
  id: string;
  title: string;
  text?: string;
  aside?: ReactNode;
  // Longer than a screen or two.
  long?: boolean;
  children: ReactNode;
};

export function Section({ id, title, text = "", aside, long, children }: Props) {
  return (
    <section
      className={`wrap later ${styles.section}`}
      id={id}
      aria-labelledby={`${id}-title`}
      data-long={long}
    >
      <div className={styles.head}>
        <div>
          <h2 id={`${id}-title`}>{title}</h2>
          {text !== "" && <p className={styles.text}>{text}</p>}
        </div>
        {aside}
      </div>
      <Apart>{children}</Apart>
    </section>
  );
}
