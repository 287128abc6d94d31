import type { ReactNode } from "react";
import styles from "./banner.module.css";

// `words`: the title holds what somebody typed, and may be long.
type Props = { title: string; words?: boolean; children?: ReactNode };

export function Banner({ title, words = false, children }: Props) {
  return (
    <div className={styles.banner} data-words={words || undefined}>
      <p className={styles.label}>Shop Page</p>
      <h1>{title}</h1>
      {children}
    </div>
  );
}
