import type { ComponentProps } from "react";
import styles from "./code-field.module.css";
import { Field } from "./field";

type Props = ComponentProps<typeof Field> & {
  // The button at its end.
  applyLabel: string;
  apply: () => void;
  busy: boolean;
};

// A field for a code, which a button or Enter applies. Not a <form>, because at checkout there is one around it.
export function CodeField({ applyLabel, apply, busy, onKeyDown, ...field }: Props) {
  return (
    <div className={styles.field}>
      <Field
        {...field}
        autoCapitalize="characters"
        autoComplete="off"
        enterKeyHint="done"
        spellCheck={false}
        onKeyDown={(event) => {
          onKeyDown?.(event);
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          apply();
        }}
        end={
          <button className={styles.apply} type="button" aria-busy={busy} onClick={apply}>
            {applyLabel}
          </button>
        }
      />
    </div>
  );
}
