import * as common from "messages/common";
import type { ReactNode } from "react";
import type { Page } from "../../lib/api.gen";
import { localUrl } from "../../lib/language";
import { Button, ButtonLink } from "../../ui/button";
import { PageHead } from "./page-head";
import styles from "./result-page.module.css";

export type Result = { title: string; message: string; next: ReactNode };

// The result of a form or of an e-mail link: what happened, and one action.
export function ResultPage({ page, result }: { page: Page; result: Result }) {
  const { title, message, next } = result;
  return (
    <div className={`wrap ${styles.result}`}>
      <PageHead page={page} title={`${title} · ${page.shop.name}`} description={message} />
      <h1>{title}</h1>
      <p>{message}</p>
      <div className={styles.next}>{next}</div>
    </div>
  );
}

function HomeLink() {
  return (
    <ButtonLink href={localUrl("/")} quiet>
      {common.backToShop()}
    </ButtonLink>
  );
}

export const homeLink = <HomeLink />;

// Submits to the page's own URL, which holds the parameters of the e-mail link.
export function ConfirmButton({ children }: { children: ReactNode }) {
  return (
    <form method="post">
      <Button type="submit">{children}</Button>
    </form>
  );
}
