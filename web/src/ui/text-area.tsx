import { type ComponentProps, type ReactNode, useId } from "react";
import field from "./field.module.css";
import styles from "./text-area.module.css";

type Props = ComponentProps<"textarea"> & {
  label: string;
  // The validation error.
  error?: string | undefined;
  // Help text below, referenced by aria-describedby.
  children?: ReactNode;
};

export function TextArea({ label, error, children, ...area }: Props) {
  const id = useId();
  const described = [error && `${id}-error`, children && `${id}-help`].filter(Boolean).join(" ");
  return (
    <div>
      <label className={field.label} htmlFor={id}>
        {label}
      </label>
      <div className={field.frame}>
        <textarea
          className={`${field.input} ${styles.area}`}
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={described === "" ? undefined : described}
          {...area}
        />
      </div>
      {error !== undefined && (
        <p className={field.error} id={`${id}-error`}>
          {error}
        </p>
      )}
      {children && <div id={`${id}-help`}>{children}</div>}
    </div>
  );
}
