import type { Section, Text } from "../../lib/api.gen";
import styles from "./prose.module.css";

// HTML of the shop's content. The server has sanitised it.
export function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by content/markdown.rs.
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}

// A whole text: the lead and its sections with headings.
export function ProseText({ text }: { text: Text }) {
  return (
    <>
      {text.lead !== "" && (
        <div className={styles.lead}>
          <Prose html={text.lead} />
        </div>
      )}
      {text.sections.map((section) => (
        <ProseSection key={section.id} section={section} />
      ))}
    </>
  );
}

export function ProseSection({ section }: { section: Section }) {
  return (
    <section className={styles.section} aria-labelledby={section.id}>
      <h2 id={section.id}>{section.title}</h2>
      <Prose html={section.html} />
    </section>
  );
}
