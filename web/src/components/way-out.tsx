import type { ReactNode } from "react";
import { useShop } from "../lib/shop";
import { categoryUrl } from "../lib/urls";
import { ButtonLink } from "../ui/button";
import styles from "./way-out.module.css";

type Props = { title: string; message: string; retry?: string; children?: ReactNode };

// Where a visitor stands when there is nothing to show: what happened, and where to go on.
export function WayOut({ title, message, retry, children }: Props) {
  const { shop } = useShop();
  return (
    <div className={`wrap ${styles.wayOut}`}>
      <h1>{title}</h1>
      <p className={styles.message}>{message}</p>
      <p className={styles.actions}>
        {retry && <ButtonLink href={retry}>Try again</ButtonLink>}
        <ButtonLink href="/" quiet={retry !== undefined}>
          Back to the shop
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
