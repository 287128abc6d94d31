import LayoutGrid from "lucide-react/icons/layout-grid";
import Rows3 from "lucide-react/icons/rows-3";
import SlidersHorizontal from "lucide-react/icons/sliders-horizontal";
import type { ComponentType, MouseEvent } from "react";
import type { View } from "../../../lib/api.gen";
import { openOverlay } from "../../../lib/overlay";
import { Button } from "../../../ui/button";
import { Select } from "../../../ui/select";
import { usePendingValue } from "../../../ui/use-pending-value";
import { type ListingQuery, listingUrl, productCount, SIZES, SORTS } from "../listing-query";
import { HiddenParams } from "./hidden-params";
import styles from "./toolbar.module.css";

const SIZE_OPTIONS = SIZES.map((size) => ({ value: String(size), label: String(size) }));

const VIEWS: { view: View; name: string; icon: ComponentType<IconProps> }[] = [
  { view: "grid", name: "Grid", icon: LayoutGrid },
  { view: "list", name: "List", icon: Rows3 },
];
type IconProps = { size: number; strokeWidth: number; "aria-hidden": true };

type Props = {
  query: ListingQuery;
  total: number;
  // The number of active filters; null where there are no facets.
  on: number | null;
};

export function Toolbar({ query, total, on }: Props) {
  return (
    <div className={styles.tools}>
      <p className={styles.count}>{productCount(total)}</p>
      {on !== null && <FiltersLink on={on} />}
      <SortForm query={query} />
      <ul className={styles.views} aria-label="View">
        {VIEWS.map(({ view, name, icon: Icon }) => (
          <li key={view}>
            <a
              href={listingUrl({ ...query, view })}
              aria-label={name}
              title={name}
              aria-current={view === query.view ? "true" : undefined}
            >
              <Icon size={18} strokeWidth={1.5} aria-hidden />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

// Without JavaScript it links to the filters below the list.
function FiltersLink({ on }: { on: number }) {
  function open(event: MouseEvent) {
    event.preventDefault();
    openOverlay("filters");
  }
  return (
    // biome-ignore lint/a11y/useValidAnchor: it has a target.
    <a className={styles.filters} href="#filters" data-opens aria-haspopup="dialog" onClick={open}>
      <SlidersHorizontal size={18} strokeWidth={1.5} aria-hidden />
      {on === 0 ? "Filters" : `Filters (${on})`}
    </a>
  );
}

function SortForm({ query }: { query: ListingQuery }) {
  const [sort, setSort] = usePendingValue<string>(query.sort);
  const [size, setSize] = usePendingValue(String(query.size));
  return (
    <form className={styles.form} method="get" action={query.path} data-live>
      <HiddenParams query={query} except={["sort", "size"]} />
      <Select
        label="Sort by"
        name="sort"
        value={sort}
        onChange={(event) => setSort(event.currentTarget.value)}
        options={SORTS}
      />
      <Select
        label="Show"
        name="size"
        value={size}
        onChange={(event) => setSize(event.currentTarget.value)}
        options={SIZE_OPTIONS}
      />
      <span className="without-js">
        <Button type="submit" quiet>
          Apply
        </Button>
      </span>
    </form>
  );
}
