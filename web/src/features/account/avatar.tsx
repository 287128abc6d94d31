import { useState } from "react";
import styles from "./avatar.module.css";
import { ownPhoto } from "./internal/photo";

type Props = { photoURL: string | null; name: string; large?: boolean };

// The customer's photo; where there is none, or one that the shop does not serve, the first letter
// of the name.
export function Avatar({ photoURL, name, large = false }: Props) {
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
