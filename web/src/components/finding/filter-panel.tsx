import {
  chipsOf,
  choiceOf,
  type ListingPage,
  listingUrl,
  productCount,
  unfiltered,
} from "../../lib/finding/choice";
import { closeOverlay, returnsFocus } from "../../lib/overlay";
import { useShop } from "../../lib/shop";
import { Button, ButtonLink } from "../../ui/button";
import { Drawer } from "../../ui/drawer";
import styles from "./filter-panel.module.css";
import { Filters } from "./filters";

// The filters where there is no room for them beside the list. The list changes behind it.
export default function FilterPanel({ open, page }: { open: boolean; page: ListingPage }) {
  const { shop } = useShop();
  const { facets, total } = page.props;
  const choice = choiceOf(page);
  const on = chipsOf(choice, shop.categories).length;
  return (
    <Drawer
      open={open}
      onClose={closeOverlay}
      title="Filters"
      side="left"
      thumb
      returnsFocus={returnsFocus}
    >
      <div className={styles.filters}>{facets && <Filters page={page} facets={facets} />}</div>
      <div className={styles.end}>
        {on > 0 && (
          <ButtonLink quiet href={listingUrl(unfiltered(choice))}>
            Clear all
          </ButtonLink>
        )}
        <Button onClick={closeOverlay}>
          {total === 0 ? "Nothing fits" : `Show ${productCount(total)}`}
        </Button>
      </div>
    </Drawer>
  );
}
