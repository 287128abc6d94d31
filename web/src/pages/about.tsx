import { MarketDrawing } from "../features/content/market-drawing";
import { Prose } from "../features/content/prose";
import { QuestionList } from "../features/content/question-list";
import { JsonLd } from "../features/layout/json-ld";
import { PageHead } from "../features/layout/page-head";
import type { PageOf } from "../lib/page";
import { ButtonLink } from "../ui/button";
import styles from "./about.module.css";

export default function AboutPage(page: PageOf<"about">) {
  const { article, questions } = page.props;
  const [welcome, ...sections] = article.text.sections;
  return (
    <div className={`wrap ${styles.about}`}>
      <PageHead
        page={page}
        title={`${article.title} · ${page.shop.name}`}
        description={article.description}
      />
      {questions.length > 0 && (
        <JsonLd
          data={{
            "@type": "FAQPage",
            mainEntity: questions.map((question) => ({
              "@type": "Question",
              name: question.title,
              acceptedAnswer: { "@type": "Answer", text: question.html },
            })),
          }}
        />
      )}
      <div className={styles.hero}>
        <header className={styles.head}>
          <p className={styles.label}>{article.title}</p>
          <h1>{welcome?.title ?? article.title}</h1>
          <div className={styles.welcome}>
            <Prose html={article.text.lead + (welcome?.html ?? "")} />
          </div>
        </header>
        {page.shop.demo && (
          <div className={styles.drawing}>
            <MarketDrawing />
          </div>
        )}
      </div>
      {sections.map((section) => (
        <section key={section.id} className={styles.section} aria-labelledby={section.id}>
          <h2 id={section.id}>{section.title}</h2>
          <Prose html={section.html} />
        </section>
      ))}
      {questions.length > 0 && (
        <section className={styles.section} aria-labelledby="questions">
          <div className={styles.side}>
            <h2 id="questions">Questions, answered</h2>
            <p>Not among them? Ask a person.</p>
            <ButtonLink href="/contact" quiet>
              Write to us
            </ButtonLink>
          </div>
          <QuestionList questions={questions} />
        </section>
      )}
    </div>
  );
}
