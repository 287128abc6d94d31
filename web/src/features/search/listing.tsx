import * as common from "messages/common";
import * as m from "messages/search";
import type { ReactNode } from "react";
import { useShop } from "../../lib/shop-context";
import { ButtonLink } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Pagination } from "../../ui/pagination";
import { ProductGrid } from "../catalog/product-grid";
import { FilterChips } from "./internal/filter-chips";
import { Filters } from "./internal/filters";
import { ProductRows } from "./internal/product-rows";
import { Toolbar } from "./internal/toolbar";
import styles from "./listing.module.css";
import {
  activeFilters,
  type ListingPage,
  listingQuery,
  listingUrl,
  unfiltered,
} from "./listing-query";

// `children`: shown where there are no products at all.
type Props = { page: ListingPage; children: ReactNode };

// A listing of products with facets. The query is in the URL, and everything works with plain links
// and forms.
export function Listing({ page, children }: Props) {
  const shop = useShop();
  const { products, total, pages, facets, view } = page.props;
  const query = listingQuery(page);
  const filters = activeFilters(query, shop, facets);
  if (total === 0 && filters.length === 0) return children;
  const beside = facets !== null;
  return (
    <div className={styles.listing} data-beside={beside || undefined}>
      {facets && (
        <aside className={styles.side} id="filters" aria-label={m.filters()}>
          <Filters page={page} facets={facets} />
        </aside>
      )}
      <div className={styles.main}>
        <Toolbar query={query} total={total} on={beside ? filters.length : null} />
        <FilterChips query={query} filters={filters} />
        {total === 0 ? (
          <EmptyState title={m.nothingFitsAll()} heading>
            <p>{m.removeOne()}</p>
            <ButtonLink href={listingUrl(unfiltered(query))}>{m.clearAllFilters()}</ButtonLink>
          </EmptyState>
        ) : (
          <>
            <h2 className="visually-hidden">{common.products()}</h2>
            {view === "list" ? (
              <ProductRows products={products} />
            ) : (
              <ProductGrid products={products} leads beside={beside} />
            )}
            <Pagination
              current={query.page}
              pages={pages}
              urlOf={(page) => listingUrl({ ...query, page })}
            />
          </>
        )}
      </div>
    </div>
  );
}
