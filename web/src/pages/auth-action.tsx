import { useEffect, useState } from "react";
import { type ActionLink, parseActionLink } from "../features/auth/action-link";
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
  useEffect(() => setLink(parseActionLink(location.href)), [page.props]);

  return (
    <AuthLayout quiet>
      <PageHead
        page={page}
        title={`Your account · ${shop.name}`}
        description={`Where the links in the e-mails of ${shop.name} lead.`}
      />
      {/* The URL holds a secret code. */}
      <meta name="referrer" content="no-referrer" />
      {link === null ? (
        <AuthText title="One moment…" text="We are checking the link from your e-mail.">
          <p className={`without-js ${styles.note}`}>
            This page needs JavaScript. Please switch it on and open the link again.
          </p>
        </AuthText>
      ) : (
        <EmailAction key={`${link.mode} ${link.code}`} {...link} />
      )}
    </AuthLayout>
  );
}
