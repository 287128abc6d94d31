import * as m from "messages/search";
import { closeOverlay, returnsFocus } from "../../lib/overlay";
import { useShop } from "../../lib/shop-context";
import { Button, ButtonLink } from "../../ui/button";
import { Drawer } from "../../ui/drawer";
import styles from "./filter-panel.module.css";
import { Filters } from "./internal/filters";
import {
  activeFilters,
  type ListingPage,
  listingQuery,
  listingUrl,
  unfiltered,
} from "./listing-query";

// The filters in a drawer, on narrow screens. The list behind it updates.
export default function FilterPanel({ open, page }: { open: boolean; page: ListingPage }) {
  const shop = useShop();
  const { facets, total } = page.props;
  const query = listingQuery(page);
  const on = activeFilters(query, shop).length;
  return (
    <Drawer
      open={open}
      onClose={closeOverlay}
      title={m.filters()}
      side="start"
      thumb
      returnsFocus={returnsFocus}
    >
      <div className={styles.filters}>{facets && <Filters page={page} facets={facets} />}</div>
      <div className={styles.end}>
        {on > 0 && (
          <ButtonLink quiet href={listingUrl(unfiltered(query))}>
            {m.clearAll()}
          </ButtonLink>
        )}
        <Button onClick={closeOverlay}>
          {total === 0 ? m.nothingFits() : m.showProducts({ count: total })}
        </Button>
      </div>
    </Drawer>
  );
}
