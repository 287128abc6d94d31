import * as m from "messages/emailAction";
import { useEffect, useState } from "react";
import {
  type ActionLink,
  addressInItsLanguage,
  parseActionLink,
} from "../features/auth/action-link";
import { AuthLayout, AuthText } from "../features/auth/auth-layout";
import { EmailAction } from "../features/email-action/email-action";
import styles from "../features/email-action/email-action.module.css";
import { PageHead } from "../features/layout/page-head";
import type { PageOf } from "../lib/page";

// The page that account e-mails link to. The server does not read the link: the browser parses the
// URL and asks the identity service.
export default function AuthActionPage(page: PageOf<"auth-action">) {
  const { shop } = page;
  const [link, setLink] = useState<ActionLink | null>(null);

  // The URL changes only after the page is rendered, and every navigation brings a new `page`.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    const address = addressInItsLanguage(location.href);
    if (address === null) setLink(parseActionLink(location.href));
    else location.replace(address);
  }, [page.props]);

  return (
    <AuthLayout quiet>
      <PageHead
        page={page}
        title={m.pageTitle({ shop: shop.name })}
        description={m.pageDescription({ shop: shop.name })}
      />
      {/* The URL holds a secret code. */}
      <meta name="referrer" content="no-referrer" />
      {link === null ? (
        <AuthText title={m.oneMoment()} text={m.checkingLink()}>
          <p className={`without-js ${styles.note}`}>{m.needsJavaScript()}</p>
        </AuthText>
      ) : (
        <EmailAction key={`${link.mode} ${link.code}`} {...link} />
      )}
    </AuthLayout>
  );
}
