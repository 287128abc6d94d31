import type { CSSProperties } from "react";
import { colourCode } from "./colours";
import styles from "./swatch.module.css";

type Props = {
  colour: string;
  // Its CSS colour, where it is not that of the name.
  code?: string | null;
};

// A colour as a disc; an unknown one shows its first letter.
export function Swatch({ colour, code }: Props) {
  const look = code ?? colourCode(colour);
  const style = look === null ? undefined : ({ "--look": look } as CSSProperties);
  return (
    <span className={styles.swatch} style={style} aria-hidden>
      {look === null && Array.from(colour)[0]?.toUpperCase()}
    </span>
  );
}
