import type { ComponentProps } from "react";
import styles from "./select.module.css";

type Props = ComponentProps<"select"> & {
  label: string;
  options: { value: string; label: string }[];
  labelHidden?: boolean;
  // Full width, with the label above.
  wide?: boolean;
};

export function Select({ label, options, labelHidden = false, wide = false, ...select }: Props) {
  return (
    <label className={styles.field} data-wide={wide || undefined}>
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
