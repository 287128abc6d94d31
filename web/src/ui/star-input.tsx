import { useId } from "react";
import field from "./field.module.css";
import styles from "./star-input.module.css";

type Props = {
  label: string;
  // 0: none chosen yet.
  value: number;
  onChange: (stars: number) => void;
  // What each number of stars means, the fewest first.
  words: [string, string, string, string, string];
  fault?: string | undefined;
};

// Five radio buttons that look like stars: arrow keys and screen readers know what to do with them.
export function StarInput({ label, value, onChange, words, fault }: Props) {
  const id = useId();
  return (
    <fieldset className={styles.stars} aria-describedby={fault && `${id}-fault`}>
      <legend className={field.label}>{label}</legend>
      <div className={styles.row}>
        {words.map((word, at) => (
          <label key={word} className={styles.star} title={word}>
            <input
              className={styles.input}
              type="radio"
              name={id}
              value={at + 1}
              checked={value === at + 1}
              aria-label={`${at + 1} of 5: ${word}`}
              aria-invalid={fault !== undefined}
              onChange={() => onChange(at + 1)}
            />
          </label>
        ))}
        <span className={styles.word} aria-hidden>
          {words[value - 1]}
        </span>
      </div>
      {fault !== undefined && (
        <p className={field.fault} id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </fieldset>
  );
}
