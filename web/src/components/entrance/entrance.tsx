import type { ReactNode } from "react";
import { useShop } from "../../lib/shop";
import { Photo } from "../../ui/photo";
import styles from "./entrance.module.css";

// Without the shop's header: the logo is the way home.
type Quiet = { quiet?: boolean };
type WordsProps = { title: string; words: string; children?: ReactNode };

// Where one signs in or registers: the form, and beside it, where there is room, a thing to come
// in for.
export function Entrance({ quiet = false, ...words }: WordsProps & Quiet) {
  return (
    <Hall quiet={quiet}>
      <Words {...words} />
    </Hall>
  );
}

// What stays while the words change.
export function Hall({ quiet = false, children }: Quiet & { children: ReactNode }) {
  const { shop } = useShop();
  const picture = shop.categories[0]?.img;
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
          <Photo src={picture} alt="" loading="lazy" />
        </div>
      )}
    </div>
  );
}

export function Words({ title, words, children }: WordsProps) {
  return (
    <div className={styles.words}>
      <h1>{title}</h1>
      <p className={styles.lead}>{words}</p>
      {children}
    </div>
  );
}

// Between the form and the other ways in.
export function Or({ children }: { children: ReactNode }) {
  return <p className={styles.or}>{children}</p>;
}

export function Instead({ question, children }: { question: string; children: ReactNode }) {
  return (
    <p className={styles.instead}>
      {question} {children}
    </p>
  );
}
