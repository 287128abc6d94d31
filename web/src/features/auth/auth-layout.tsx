import type { ReactNode } from "react";
import { localUrl } from "../../lib/language";
import { useShop } from "../../lib/shop-context";
import { Picture } from "../../ui/picture";
import styles from "./auth-layout.module.css";

type AuthLayoutProps = {
  // Without the shop's header, with a logo that links home.
  quiet?: boolean;
  children: ReactNode;
};

// The layout of the auth pages: a column of content and a picture.
export function AuthLayout({ quiet = false, children }: AuthLayoutProps) {
  const shop = useShop();
  const picture = shop.categories[0]?.picture;
  return (
    <div className={`wrap ${styles.entrance}`} data-quiet={quiet}>
      <div className={styles.side}>
        {quiet && (
          <a className={styles.logo} href={localUrl("/")}>
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

export type AuthTextProps = { title: string; text: string; hidden?: boolean; children?: ReactNode };

export function AuthText({ title, text, hidden = false, children }: AuthTextProps) {
  return (
    <div className={styles.words} hidden={hidden}>
      <h1>{title}</h1>
      <p className={styles.lead}>{text}</p>
      {children}
    </div>
  );
}
