import * as common from "messages/common";
import type { ReactNode } from "react";
import { localUrl } from "../../lib/language";
import { useShop } from "../../lib/shop-context";
import { categoryUrl } from "../../lib/urls";
import { ButtonLink } from "../../ui/button";
import styles from "./error-state.module.css";

type Props = { title: string; message: string; retry?: string; children?: ReactNode };

// The error state of a whole page: what happened, and where to go next.
export function ErrorState({ title, message, retry, children }: Props) {
  const shop = useShop();
  return (
    <div className={`wrap ${styles.errorState}`}>
      <h1>{title}</h1>
      <p className={styles.message}>{message}</p>
      <p className={styles.actions}>
        {retry && <ButtonLink href={retry}>{common.tryAgain()}</ButtonLink>}
        <ButtonLink href={localUrl("/")} quiet={retry !== undefined}>
          {common.backToShop()}
        </ButtonLink>
      </p>
      {shop.categories.length > 0 && (
        <ul className={styles.categories}>
          {shop.categories.map((category) => (
            <li key={category._id}>
              <a href={categoryUrl(category._id)}>{category.name}</a>
            </li>
          ))}
        </ul>
      )}
      {children}
    </div>
  );
}
