import type { CSSProperties } from "react";
import { colourCode } from "./internal/colours";
import styles from "./swatch.module.css";

// A colour as a disc; an unknown one shows its first letter.
export function Swatch({ colour }: { colour: string }) {
  const look = colourCode(colour);
  const style = look === null ? undefined : ({ "--look": look } as CSSProperties);
  return (
    <span className={styles.swatch} style={style} aria-hidden>
      {look === null && Array.from(colour)[0]?.toUpperCase()}
    </span>
  );
}
