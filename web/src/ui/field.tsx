import { type ComponentProps, type ReactNode, useId } from "react";
import styles from "./field.module.css";

type Props = ComponentProps<"input"> & {
  label: string;
  // What is wrong with what was typed.
  fault?: string | undefined;
  // Something at the input's right end, inside its frame.
  end?: ReactNode;
  // Help below, which the field is described by.
  children?: ReactNode;
};

export function Field({ label, fault, end, children, ...input }: Props) {
  const id = useId();
  const described = [fault && `${id}-fault`, children && `${id}-help`].filter(Boolean).join(" ");
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.frame}>
        <input
          className={styles.input}
          id={id}
          aria-invalid={fault !== undefined}
          aria-describedby={described === "" ? undefined : described}
          {...input}
        />
        {end}
      </div>
      {fault !== undefined && (
        <p className={styles.fault} id={`${id}-fault`}>
          {fault}
        </p>
      )}
      {children && <div id={`${id}-help`}>{children}</div>}
    </div>
  );
}
