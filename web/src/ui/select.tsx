import { type ComponentProps, useId } from "react";
import field from "./field.module.css";
import styles from "./select.module.css";

type Props = ComponentProps<"select"> & {
  label: string;
  options: { value: string; label: string }[];
  labelHidden?: boolean;
  // Full width, with the label above.
  wide?: boolean;
  // The validation error, below.
  error?: string | undefined;
};

export function Select(props: Props) {
  const { label, options, labelHidden = false, wide = false, error, ...select } = props;
  const id = useId();
  const invalid = error !== undefined && { "aria-invalid": true, "aria-describedby": id };
  return (
    <>
      <label className={styles.field} data-wide={wide || undefined}>
        <span className={labelHidden ? "visually-hidden" : styles.label}>{label}</span>
        <select className={styles.select} autoComplete="off" {...select} {...invalid}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </label>
      {error !== undefined && (
        <p className={field.error} id={id}>
          {error}
        </p>
      )}
    </>
  );
}
