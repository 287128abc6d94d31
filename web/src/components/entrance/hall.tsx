import type { ReactNode } from "react";
import { useShop } from "../../lib/shop";
import { Picture } from "../../ui/picture";
import styles from "./entrance.module.css";

type HallProps = {
  // Without the shop's header: the logo is the way home.
  quiet?: boolean;
  children: ReactNode;
};

// What stays while the words change.
export function Hall({ quiet = false, children }: HallProps) {
  const { shop } = useShop();
  const picture = shop.categories[0]?.picture;
  return (
    <div className={`wrap ${styles.entrance}`} data-quiet={quiet}>
      <div className={styles.side}>
        {quiet && (
          <a className={styles.logo} href="/">
            {shop.name}
          </a>
        )}
        {children}
      </div>
      {picture && (
        <div className={styles.picture}>
          <Picture
            picture={picture}
            name=""
            sizes="(min-width: 86rem) 616px, 46vw"
            loading="lazy"
          />
        </div>
      )}
    </div>
  );
}

export type WordsProps = { title: string; words: string; hidden?: boolean; children?: ReactNode };

export function Words({ title, words, hidden = false, children }: WordsProps) {
  return (
    <div className={styles.words} hidden={hidden}>
      <h1>{title}</h1>
      <p className={styles.lead}>{words}</p>
      {children}
    </div>
  );
}
