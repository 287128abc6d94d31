import type { Section } from "../../lib/api.gen";
import styles from "./table-of-contents.module.css";

type Props = { title: string; sections: Section[] };

// Table of contents: in a sidebar where there is room, else collapsed above the text.
export function TableOfContents({ title, sections }: Props) {
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
