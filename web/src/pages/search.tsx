import { useEffect } from "react";
import { ProductGrid } from "../features/catalog/product-grid";
import { Breadcrumbs } from "../features/layout/breadcrumbs";
import { PageHead } from "../features/layout/page-head";
import { Banner } from "../features/search/banner";
import { Listing } from "../features/search/listing";
import {
  listingQuery,
  listingUrl,
  productCount,
  withChange,
} from "../features/search/listing-query";
import { addSearch } from "../features/search/recent-searches";
import type { PageOf } from "../lib/page";
import { categoryUrl } from "../lib/urls";
import { ButtonLink } from "../ui/button";
import { Section } from "../ui/section";
import styles from "./search.module.css";

export default function SearchPage(page: PageOf<"search">) {
  const { shop, props } = page;
  const { q, total, pageNumber, popular } = props;
  const everything = props.chosen.onOffer ? "On offer" : "All products";
  const title = q === "" ? everything : `Results for “${q}”`;
  useEffect(() => addSearch(q), [q]);
  return (
    <>
      <div className="wrap">
        <PageHead
          page={page}
          title={`${title}: ${productCount(total)}${pageNumber > 1 ? `, page ${pageNumber}` : ""} · ${shop.name}`}
          description={`Everything that ${shop.name} sells, by words, brand, price and colour.`}
        />
        <Breadcrumbs origin={page.origin} trail={[{ name: "Search", url: "/search" }]} />
        <Banner title={title} query={q !== ""}>
          <QueryNote {...page} />
        </Banner>
        <Listing page={page}>
          <NoResults {...page} />
        </Listing>
      </div>
      {popular.length > 0 && (
        <Section id="popular" title="What others like">
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
    return (
      <p className={styles.reading}>
        {total === 0 ? "Did you mean " : `Nothing is called “${q}”. This is what there is for `}
        <a href={address}>{corrected}</a>
        {total === 0 ? "?" : "."}
      </p>
    );
  }
  if (fewerWords && total > 0) {
    return <p className={styles.reading}>Nothing has all of these words. These have some.</p>;
  }
  return null;
}

function NoResults({ shop, props }: PageOf<"search">) {
  return (
    <div className={styles.nothing}>
      <h2>Nothing found</h2>
      <p>
        {props.q === ""
          ? "The shop is still being set up."
          : "Try fewer words, or other ones. Or have a look around:"}
      </p>
      <ul>
        {shop.categories.map(({ _id, name }) => (
          <li key={_id}>
            <a href={categoryUrl(_id)}>{name}</a>
          </li>
        ))}
      </ul>
      {props.q !== "" && (
        <ButtonLink href="/search" quiet>
          All products
        </ButtonLink>
      )}
    </div>
  );
}
