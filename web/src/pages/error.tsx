import { ErrorState } from "../features/layout/error-state";
import { PageHead } from "../features/layout/page-head";
import type { PageOf } from "../lib/page";
import styles from "./error.module.css";

export default function ErrorPage(page: PageOf<"error">) {
  const { status, message, requestId } = page.props;
  const ours = status >= 500;
  const title = ours ? "Unexpected Application Error!" : page.props.title;
  return (
    <>
      <PageHead page={page} title={`${title} · ${page.shop.name}`} description={message} />
      <ErrorState title={title} message={message} {...(ours && { retry: page.url })}>
        <p className={styles.reference}>
          Status {status}, reference {requestId}
        </p>
      </ErrorState>
    </>
  );
}
