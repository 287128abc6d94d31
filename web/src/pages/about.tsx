import * as m from "messages/content";
import { MarketDrawing } from "../features/content/market-drawing";
import { Prose } from "../features/content/prose";
import { QuestionList } from "../features/content/question-list";
import { JsonLd } from "../features/layout/json-ld";
import { PageHead } from "../features/layout/page-head";
import { localUrl } from "../lib/language";
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
        <header className={styles.head} lang={article.lang}>
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
        <section
          key={section.id}
          className={styles.section}
          aria-labelledby={section.id}
          lang={article.lang}
        >
          <h2 id={section.id}>{section.title}</h2>
          <Prose html={section.html} />
        </section>
      ))}
      {questions.length > 0 && (
        <section className={styles.section} aria-labelledby="questions">
          <div className={styles.side}>
            <h2 id="questions">{m.questions()}</h2>
            <p>{m.askPerson()}</p>
            <ButtonLink href={localUrl("/contact")} quiet>
              {m.writeToUs()}
            </ButtonLink>
          </div>
          <QuestionList questions={questions} />
        </section>
      )}
    </div>
  );
}
