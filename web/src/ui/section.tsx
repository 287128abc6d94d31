import type { ReactNode } from "react";
import { HydrationBoundary } from "./hydration-boundary";
import styles from "./section.module.css";

type Props = {
  id: string;
  title: string;
  text?: string;
  // The language of title and text, where it is not the page's.
  lang?: string | undefined;
  aside?: ReactNode;
  // Longer than two screens.
  long?: boolean;
  children: ReactNode;
};

export function Section({ id, title, text = "", lang, aside, long, children }: Props) {
  return (
    <section
      className={`wrap later ${styles.section}`}
      id={id}
      aria-labelledby={`${id}-title`}
      data-long={long}
    >
      <div className={styles.head}>
        <div lang={lang}>
          <h2 id={`${id}-title`}>{title}</h2>
          {text !== "" && <p className={styles.text}>{text}</p>}
        </div>
        {aside}
      </div>
      <HydrationBoundary>{children}</HydrationBoundary>
    </section>
  );
}
