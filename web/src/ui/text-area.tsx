import { type ComponentProps, type ReactNode, useId } from "react";
import field from "./field.module.css";
import styles from "./text-area.module.css";

type Props = ComponentProps<"textarea"> & {
  label: string;
  // What is wrong with what was typed.
  fault?: string | undefined;
  // Help below, which the area is described by.
  children?: ReactNode;
};

export function TextArea({ label, fault, children, ...area }: Props) {
  const id = useId();
  const described = [fault && `${id}-fault`, children && `${id}-help`].filter(Boolean).join(" ");
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
          aria-describedby={described === "" ? undefined : described}
          {...area}
        />
      </div>
      {fault !== undefined && (
        <p className={field.fault} id={`${id}-fault`}>
          {fault}
        </p>
      )}
      {children && <div id={`${id}-help`}>{children}</div>}
    </div>
  );
}
