import type { ReactNode } from "react";
import {
  chipsOf,
  choiceOf,
  type ListingPage,
  listingUrl,
  unfiltered,
} from "../../lib/finding/choice";
import { useShop } from "../../lib/shop";
import { ButtonLink } from "../../ui/button";
import { Empty } from "../../ui/empty";
import { Pagination } from "../pagination";
import { ProductGrid } from "../product-grid";
import { Chips } from "./chips";
import { Filters } from "./filters";
import styles from "./listing.module.css";
import { ProductRows } from "./product-rows";
import { Toolbar } from "./toolbar";

// `children`: what is said where there is nothing at all to choose from.
type Props = { page: ListingPage; children: ReactNode };

// Products to choose from: what is chosen stands in the address, so that it can be kept, sent and gone
// back to, and works as plain links and forms.
export function Listing({ page, children }: Props) {
  const { shop } = useShop();
  const { products, total, pages, facets, view } = page.props;
  const choice = choiceOf(page);
  const chips = chipsOf(choice, shop.categories);
  if (total === 0 && chips.length === 0) return children;
  const beside = facets !== null;
  return (
    <div className={styles.listing} data-beside={beside || undefined}>
      {facets && (
        <aside className={styles.side} id="filters" aria-label="Filters">
          <Filters page={page} facets={facets} />
        </aside>
      )}
      <div className={styles.main}>
        <Toolbar choice={choice} total={total} on={beside ? chips.length : null} />
        <Chips choice={choice} chips={chips} />
        {!beside && <p className={styles.note}>Filters will be back in a moment.</p>}
        {total === 0 ? (
          <Empty title="Nothing fits all of this" heading>
            <p>Take one of the filters away, or start afresh.</p>
            <ButtonLink href={listingUrl(unfiltered(choice))}>Clear all filters</ButtonLink>
          </Empty>
        ) : (
          <>
            <h2 className="visually-hidden">Products</h2>
            {view === "list" ? (
              <ProductRows products={products} />
            ) : (
              <ProductGrid products={products} leads beside={beside} />
            )}
            <Pagination
              current={choice.page}
              pages={pages}
              urlOf={(page) => listingUrl({ ...choice, page })}
            />
          </>
        )}
      </div>
    </div>
  );
}
