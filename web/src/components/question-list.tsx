import type { Section } from "../lib/api.gen";
import { Prose } from "./prose";
import styles from "./question-list.module.css";

// The browser's own accordion: it opens without JavaScript, and the find bar looks inside.
export function QuestionList({ questions }: { questions: Section[] }) {
  return (
    <div className={styles.list}>
      {questions.map((question) => (
        // Whoever was quick has opened one before React was there.
        <details
          key={question.id}
          className={styles.question}
          id={question.id}
          name="questions"
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
