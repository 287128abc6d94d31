import { useState } from "react";
import { ownPhoto } from "../lib/photo";
import styles from "./portrait.module.css";

type Props = { photoURL: string | null; name: string; large?: boolean };

// Somebody's picture; where there is none, or none of ours, the first letter of the name.
export function Portrait({ photoURL, name, large = false }: Props) {
  const photo = ownPhoto(photoURL);
  const [broken, setBroken] = useState<string | null>(null);
  const side = large ? 96 : 24;
  return (
    <span className={styles.portrait} data-large={large || undefined}>
      {photo !== null && photo !== broken ? (
        <img src={photo} alt="" width={side} height={side} onError={() => setBroken(photo)} />
      ) : (
        <span aria-hidden>{Array.from(name.trim())[0]?.toUpperCase() ?? ""}</span>
      )}
    </span>
  );
}
