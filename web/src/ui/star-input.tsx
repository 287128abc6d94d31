import * as m from "messages/ui";
import { useId } from "react";
import field from "./field.module.css";
import styles from "./star-input.module.css";

type Props = {
  label: string;
  // 0: none chosen.
  value: number;
  onChange: (stars: number) => void;
  // The label of each rating, lowest first.
  labels: [string, string, string, string, string];
  error?: string | undefined;
};

// Five radio buttons styled as stars, so that arrow keys and screen readers work.
export function StarInput({ label, value, onChange, labels, error }: Props) {
  const id = useId();
  return (
    <fieldset className={styles.stars} aria-describedby={error && `${id}-error`}>
      <legend className={field.label}>{label}</legend>
      <div className={styles.row}>
        {labels.map((text, at) => (
          <label key={text} className={styles.star} title={text}>
            <input
              className={styles.input}
              type="radio"
              name={id}
              value={at + 1}
              checked={value === at + 1}
              aria-label={m.starsOfFive({ stars: at + 1, label: text })}
              aria-invalid={error !== undefined}
              onChange={() => onChange(at + 1)}
            />
          </label>
        ))}
        <span className={styles.text} aria-hidden>
          {labels[value - 1]}
        </span>
      </div>
      {error !== undefined && (
        <p className={field.error} id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
