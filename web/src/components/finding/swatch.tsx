import type { CSSProperties } from "react";
import { lookOf } from "../../lib/finding/colours";
import styles from "./swatch.module.css";

// A colour as a disc beside its name; one that nobody knows by its first letter.
export function Swatch({ colour }: { colour: string }) {
  const look = lookOf(colour);
  const style = look === null ? undefined : ({ "--look": look } as CSSProperties);
  return (
    <span className={styles.swatch} style={style} aria-hidden>
      {look === null && Array.from(colour)[0]?.toUpperCase()}
    </span>
  );
}
