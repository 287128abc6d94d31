import type { Section } from "../lib/api.gen";
import styles from "./contents.module.css";

type Props = { title: string; sections: Section[] };

// The parts of a long text. Beside it where there is room, else folded away on top of it.
export function Contents({ title, sections }: Props) {
  const list = (
    <ol>
      {sections.map((section) => (
        <li key={section.id}>
          <a href={`#${section.id}`}>{section.title}</a>
        </li>
      ))}
    </ol>
  );
  return (
    <>
      <nav className={styles.beside} aria-label={title}>
        <p className={styles.title} aria-hidden>
          {title}
        </p>
        {list}
      </nav>
      <details className={styles.folded} suppressHydrationWarning>
        <summary>{title}</summary>
        {list}
      </details>
    </>
  );
}
