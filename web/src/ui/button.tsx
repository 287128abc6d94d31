import LoaderCircle from "lucide-react/icons/loader-circle";
import type { ComponentProps } from "react";
import styles from "./button.module.css";

// Quiet: the secondary action beside another.
type ButtonStyle = { quiet?: boolean };

export function ButtonLink({ quiet = false, ...link }: ComponentProps<"a"> & ButtonStyle) {
  return <a className={quiet ? styles.quiet : styles.primary} {...link} />;
}

export function Button({ quiet = false, ...button }: ComponentProps<"button"> & ButtonStyle) {
  return <button className={quiet ? styles.quiet : styles.primary} type="button" {...button} />;
}

// Submits a form. While busy it keeps its text, width and focus, and ignores clicks.
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
