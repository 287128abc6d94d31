import type { ReactNode } from "react";
import type { Page } from "../lib/api.gen";
import { Button, ButtonLink } from "../ui/button";
import styles from "./moment-page.module.css";
import { PageHead } from "./page-head";

export type Moment = { title: string; message: string; next: ReactNode };

// Where somebody stands who came by a letter's link or a form: what has happened, and one way on.
export function MomentPage({ page, moment }: { page: Page; moment: Moment }) {
  const { title, message, next } = moment;
  return (
    <div className={`wrap ${styles.moment}`}>
      <PageHead page={page} title={`${title} · ${page.shop.name}`} description={message} />
      <h1>{title}</h1>
      <p>{message}</p>
      <div className={styles.next}>{next}</div>
    </div>
  );
}

export const home = (
  <ButtonLink href="/" quiet>
    Back to the shop
  </ButtonLink>
);

// Sends the form to the page's own address, in which the letter's link put what is needed.
export function Press({ children }: { children: ReactNode }) {
  return (
    <form method="post">
      <Button type="submit">{children}</Button>
    </form>
  );
}
