import * as m from "messages/search";
import type { ReactNode } from "react";
import styles from "./banner.module.css";

// `query`: the title contains the search words, and may be long.
type Props = { title: string; query?: boolean; children?: ReactNode };

export function Banner({ title, query = false, children }: Props) {
  return (
    <div className={styles.banner} data-query={query || undefined}>
      <p className={styles.label}>{m.shopPage()}</p>
      <h1>{title}</h1>
      {children}
    </div>
  );
}
