import * as m from "messages/forms";
import { Prose, ProseSection } from "../features/content/prose";
import { JsonLd, reachedAt } from "../features/layout/json-ld";
import { PageHead } from "../features/layout/page-head";
import { ContactForm } from "../features/messages/contact-form";
import { LocationMap } from "../features/messages/location-map";
import type { PageOf } from "../lib/page";
import styles from "./contact.module.css";

// The section of the text that is shown with the form.
const FORM = "write-to-us";

export default function ContactPage(page: PageOf<"contact">) {
  const { shop, props } = page;
  const { article, sent, longestName, longestMessage } = props;
  const section = article.text.sections.find((section) => section.id === FORM);
  return (
    <div className={`wrap ${styles.contact}`}>
      <PageHead
        page={page}
        title={`${sent ? m.messageSentTitle() : article.title} · ${shop.name}`}
        description={article.description}
        unlisted={sent}
      />
      <JsonLd
        data={{
          "@type": "Store",
          name: shop.name,
          url: page.origin,
          ...reachedAt(shop),
          ...(article.map && { geo: { "@type": "GeoCoordinates", ...article.map } }),
        }}
      />
      <div className={styles.columns}>
        <header className={styles.head} lang={article.lang}>
          <h1>{article.title}</h1>
          <div className={styles.lead}>
            <Prose html={article.text.lead} />
          </div>
        </header>
        <section className={styles.card} aria-labelledby={FORM}>
          <h2 id={FORM} lang={section && article.lang}>
            {section?.title ?? m.writeToUs()}
          </h2>
          <ContactForm
            {...props.form}
            sent={sent}
            longestName={longestName}
            longestMessage={longestMessage}
          >
            {section && (
              <div className={styles.note} lang={article.lang}>
                <Prose html={section.html} />
              </div>
            )}
          </ContactForm>
        </section>
        <div className={styles.words} lang={article.lang}>
          {article.text.sections
            .filter((other) => other !== section)
            .map((other) => (
              <ProseSection key={other.id} section={other} />
            ))}
        </div>
      </div>
      {article.map && <LocationMap spot={article.map} address={shop.address} />}
    </div>
  );
}
