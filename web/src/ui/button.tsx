import LoaderCircle from "lucide-react/icons/loader-circle";
import type { ComponentProps } from "react";
import styles from "./button.module.css";

// What asks to be pressed: mostly a link. Quiet is the second choice beside another.
type Look = { quiet?: boolean };

export function ButtonLink({ quiet = false, ...link }: ComponentProps<"a"> & Look) {
  return <a className={quiet ? styles.quiet : styles.primary} {...link} />;
}

export function Button({ quiet = false, ...button }: ComponentProps<"button"> & Look) {
  return <button className={quiet ? styles.quiet : styles.primary} type="button" {...button} />;
}

// Sends a form. While it is busy it keeps its name, its width and the focus, and does nothing.
export function SubmitButton({ busy, children, ...button }: ComponentProps<"button"> & Busy) {
  return (
    <button
      className={`${styles.primary} ${styles.wide}`}
      type="submit"
      aria-busy={busy}
      aria-disabled={busy}
      {...button}
    >
      {children}
      {busy && <LoaderCircle className={styles.spinner} size={18} strokeWidth={1.5} aria-hidden />}
    </button>
  );
}

type Busy = { busy: boolean };
