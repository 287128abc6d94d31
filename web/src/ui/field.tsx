import { type ComponentProps, type ReactNode, useId } from "react";
import styles from "./field.module.css";

type Props = ComponentProps<"input"> & {
  label: string;
  // The validation error.
  error?: string | undefined;
  // An element at the end of the input, inside its border.
  end?: ReactNode;
  // Help text below, referenced by aria-describedby.
  children?: ReactNode;
};

export function Field({ label, error, end, children, ...input }: Props) {
  const id = useId();
  const described = [error && `${id}-error`, children && `${id}-help`].filter(Boolean).join(" ");
  return (
    <div>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.frame}>
        <input
          className={styles.input}
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={described === "" ? undefined : described}
          {...input}
        />
        {end}
      </div>
      {error !== undefined && (
        <p className={styles.error} id={`${id}-error`}>
          {error}
        </p>
      )}
      {children && <div id={`${id}-help`}>{children}</div>}
    </div>
  );
}
