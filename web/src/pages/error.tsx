import * as m from "messages/layout";
import { ErrorState } from "../features/layout/error-state";
import { PageHead } from "../features/layout/page-head";
import { withSentences } from "../lib/error-sentences";
import type { PageOf } from "../lib/page";
import { pageUrl } from "../lib/urls";
import styles from "./error.module.css";

export default function ErrorPage(page: PageOf<"error">) {
  const { status, code, params, requestId } = page.props;
  const { message } = withSentences({ code, params, message: "" });
  const ours = status >= 500;
  const title = ours ? m.applicationError() : message;
  return (
    <>
      <PageHead page={page} title={`${title} · ${page.shop.name}`} description={message} />
      <ErrorState title={title} message={message} {...(ours && { retry: pageUrl(page) })}>
        <p className={styles.reference}>{m.statusReference({ status, reference: requestId })}</p>
      </ErrorState>
    </>
  );
}
