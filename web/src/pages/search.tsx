import * as m from "messages/search";
import { type ReactNode, useEffect } from "react";
import { ProductGrid } from "../features/catalog/product-grid";
import { Breadcrumbs } from "../features/layout/breadcrumbs";
import { PageHead } from "../features/layout/page-head";
import { Banner } from "../features/search/banner";
import { Listing } from "../features/search/listing";
import { listingQuery, listingUrl, withChange } from "../features/search/listing-query";
import { addSearch } from "../features/search/recent-searches";
import { localUrl } from "../lib/language";
import type { PageOf } from "../lib/page";
import { categoryUrl } from "../lib/urls";
import { ButtonLink } from "../ui/button";
import { Section } from "../ui/section";
import styles from "./search.module.css";

export default function SearchPage(page: PageOf<"search">) {
  const { shop, props } = page;
  const { q, total, pageNumber, popular } = props;
  const everything = props.chosen.onOffer ? m.onOffer() : m.allProducts();
  const title = q === "" ? everything : m.resultsFor({ query: q });
  const counted = m.titleWithCount({ title, count: total });
  useEffect(() => addSearch(q), [q]);
  return (
    <>
      <div className="wrap">
        <PageHead
          page={page}
          title={`${pageNumber > 1 ? m.titleWithPage({ title: counted, page: pageNumber }) : counted} · ${shop.name}`}
          description={m.description({ shop: shop.name })}
        />
        <Breadcrumbs
          origin={page.origin}
          trail={[{ name: m.breadcrumb(), url: localUrl("/search") }]}
        />
        <Banner title={title} query={q !== ""}>
          <QueryNote {...page} />
        </Banner>
        <Listing page={page}>
          <NoResults {...page} />
        </Listing>
      </div>
      {popular.length > 0 && (
        <Section id="popular" title={m.popular()}>
          <ProductGrid products={popular} />
        </Section>
      )}
    </>
  );
}

// How the search words were corrected or relaxed.
function QueryNote(page: PageOf<"search">) {
  const { q, total, corrected, fewerWords } = page.props;
  if (corrected !== null) {
    const address = listingUrl(withChange(listingQuery(page), { q: corrected }));
    const link = (text: ReactNode) => <a href={address}>{text}</a>;
    return (
      <p className={styles.reading}>
        {total === 0
          ? m.didYouMean({ corrected, link })
          : m.corrected({ query: q, corrected, link })}
      </p>
    );
  }
  if (fewerWords && total > 0) {
    return <p className={styles.reading}>{m.fewerWords()}</p>;
  }
  return null;
}

function NoResults({ shop, props }: PageOf<"search">) {
  return (
    <div className={styles.nothing}>
      <h2>{m.nothingFound()}</h2>
      <p>{props.q === "" ? m.settingUp() : m.tryOtherWords()}</p>
      <ul>
        {shop.categories.map(({ _id, name }) => (
          <li key={_id}>
            <a href={categoryUrl(_id)}>{name}</a>
          </li>
        ))}
      </ul>
      {props.q !== "" && (
        <ButtonLink href={localUrl("/search")} quiet>
          {m.allProducts()}
        </ButtonLink>
      )}
    </div>
  );
}
