import * as common from "messages/common";
import * as m from "messages/layout";
import { localUrl } from "../../lib/language";
import styles from "./breadcrumbs.module.css";
import { JsonLd } from "./json-ld";

type Step = { name: string; url: string };

// Breadcrumbs from the home page; the last step is the current page.
export function Breadcrumbs({ origin, trail }: { origin: string; trail: Step[] }) {
  const steps = [{ name: common.home(), url: localUrl("/") }, ...trail];
  return (
    <nav className={styles.breadcrumbs} aria-label={m.breadcrumbs()}>
      <ol>
        {steps.map((step, at) => (
          <li key={step.url}>
            {at < steps.length - 1 ? (
              <a href={step.url}>{step.name}</a>
            ) : (
              <span aria-current="page">{step.name}</span>
            )}
          </li>
        ))}
      </ol>
      <JsonLd
        data={{
          "@type": "BreadcrumbList",
          itemListElement: steps.map((step, at) => ({
            "@type": "ListItem",
            position: at + 1,
            name: step.name,
            item: origin + step.url,
          })),
        }}
      />
    </nav>
  );
}
