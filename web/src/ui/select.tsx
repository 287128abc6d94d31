import type { ComponentProps } from "react";
import styles from "./select.module.css";

type Props = ComponentProps<"select"> & {
  label: string;
  options: { value: string; label: string }[];
  labelHidden?: boolean;
};

export function Select({ label, options, labelHidden = false, ...select }: Props) {
  return (
    <label className={styles.field}>
      <span className={labelHidden ? "visually-hidden" : styles.label}>{label}</span>
      <select className={styles.select} autoComplete="off" {...select}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
