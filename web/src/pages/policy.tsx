import { ProseText } from "../features/content/prose";
import { TableOfContents } from "../features/content/table-of-contents";
import { Breadcrumbs } from "../features/layout/breadcrumbs";
import { PageHead } from "../features/layout/page-head";
import type { Policy } from "../lib/api.gen";
import { longDate } from "../lib/dates";
import type { PageOf } from "../lib/page";
import styles from "./policy.module.css";

const POLICIES: { policy: Policy; url: string; name: string }[] = [
  { policy: "terms", url: "/terms_condition", name: "Terms Of Use" },
  { policy: "privacy", url: "/privacy", name: "Privacy Policies" },
  { policy: "refund", url: "/refund", name: "Refund Policies" },
  { policy: "return", url: "/return", name: "Return Policies" },
];

export default function PolicyPage(page: PageOf<"policy">) {
  const { policy, article } = page.props;
  const others = POLICIES.filter((other) => other.policy !== policy);
  return (
    <div className="wrap">
      <PageHead
        page={page}
        title={`${article.title} · ${page.shop.name}`}
        description={article.description}
      />
      <Breadcrumbs origin={page.origin} trail={[{ name: article.title, url: page.url }]} />
      <header className={styles.head}>
        <h1>{article.title}</h1>
        <p>{article.description}</p>
        {article.template && (
          <p className={styles.template} role="note">
            This is a template that came with the shop's software. {page.shop.name} has not checked
            it yet.
          </p>
        )}
        {article.updated && (
          <p className={styles.updated}>
            Updated <time dateTime={article.updated}>{longDate(article.updated)}</time>
          </p>
        )}
      </header>
      <div className={styles.columns}>
        <div>
          <TableOfContents title="On this page" sections={article.text.sections} />
        </div>
        <div className={styles.text}>
          <ProseText text={article.text} />
        </div>
      </div>
      <nav className={styles.others} aria-label="Other policies">
        <ul>
          {others.map((other) => (
            <li key={other.policy}>
              <a href={other.url}>{other.name}</a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
