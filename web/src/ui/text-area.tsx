import { type ComponentProps, useId } from "react";
import field from "./field.module.css";
import styles from "./text-area.module.css";

type Props = ComponentProps<"textarea"> & {
  label: string;
  // What is wrong with what was typed.
  fault?: string | undefined;
};

export function TextArea({ label, fault, ...area }: Props) {
  const id = useId();
  return (
    <div>
      <label className={field.label} htmlFor={id}>
        {label}
      </label>
      <div className={field.frame}>
        <textarea
          className={`${field.input} ${styles.area}`}
          id={id}
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : `${id}-fault`}
          {...area}
        />
      </div>
      {fault !== undefined && (
        <p className={field.fault} id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}
