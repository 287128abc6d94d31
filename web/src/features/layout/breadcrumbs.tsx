import styles from "./breadcrumbs.module.css";
import { JsonLd } from "./json-ld";

type Step = { name: string; url: string };

// Breadcrumbs from the home page; the last step is the current page.
export function Breadcrumbs({ origin, trail }: { origin: string; trail: Step[] }) {
  const steps = [{ name: "Home", url: "/" }, ...trail];
  return (
    <nav className={styles.breadcrumbs} aria-label="Breadcrumbs">
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
