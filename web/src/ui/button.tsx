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
