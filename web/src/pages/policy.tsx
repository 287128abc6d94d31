import * as common from "messages/common";
import * as m from "messages/content";
import type { ReactNode } from "react";
import { ProseText } from "../features/content/prose";
import { TableOfContents } from "../features/content/table-of-contents";
import { Breadcrumbs } from "../features/layout/breadcrumbs";
import { PageHead } from "../features/layout/page-head";
import type { Policy } from "../lib/api.gen";
import { longDate } from "../lib/dates";
import { localUrl } from "../lib/language";
import type { PageOf } from "../lib/page";
import { pageUrl } from "../lib/urls";
import styles from "./policy.module.css";

const POLICIES: { policy: Policy; path: string; name: () => string }[] = [
  { policy: "terms", path: "/terms_condition", name: common.termsOfUse },
  { policy: "privacy", path: "/privacy", name: common.privacyPolicies },
  { policy: "refund", path: "/refund", name: common.refundPolicies },
  { policy: "return", path: "/return", name: common.returnPolicies },
];

export default function PolicyPage(page: PageOf<"policy">) {
  const { policy, article } = page.props;
  const time = (text: ReactNode) => <time dateTime={article.updated ?? undefined}>{text}</time>;
  const others = POLICIES.filter((other) => other.policy !== policy);
  return (
    <div className="wrap">
      <PageHead
        page={page}
        title={`${article.title} · ${page.shop.name}`}
        description={article.description}
      />
      <Breadcrumbs origin={page.origin} trail={[{ name: article.title, url: pageUrl(page) }]} />
      <header className={styles.head}>
        <h1 lang={article.lang}>{article.title}</h1>
        <p lang={article.lang}>{article.description}</p>
        {article.template && (
          <p className={styles.template} role="note">
            {m.template({ shop: page.shop.name })}
          </p>
        )}
        {article.updated && (
          <p className={styles.updated}>{m.updated({ date: longDate(article.updated), time })}</p>
        )}
      </header>
      <div className={styles.columns}>
        <div>
          <TableOfContents title={m.onThisPage()} sections={article.text.sections} />
        </div>
        <div className={styles.text} lang={article.lang}>
          <ProseText text={article.text} />
        </div>
      </div>
      <nav className={styles.others} aria-label={m.otherPolicies()}>
        <ul>
          {others.map((other) => (
            <li key={other.policy}>
              <a href={localUrl(other.path)}>{other.name()}</a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
