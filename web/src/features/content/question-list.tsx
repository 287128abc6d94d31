import type { Section } from "../../lib/api.gen";
import { Prose } from "./prose";
import styles from "./question-list.module.css";

// The browser's own accordion: works without JavaScript, and Find searches inside.
export function QuestionList({ questions }: { questions: Section[] }) {
  return (
    <div className={styles.list}>
      {questions.map((question) => (
        // One may have been opened before hydration.
        <details
          key={question.id}
          className={styles.question}
          id={question.id}
          name="questions"
          lang={question.lang}
          suppressHydrationWarning
        >
          <summary>
            <h3>{question.title}</h3>
          </summary>
          <div className={styles.answer}>
            <Prose html={question.html} />
          </div>
        </details>
      ))}
    </div>
  );
}
