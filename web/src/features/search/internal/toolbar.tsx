import LayoutGrid from "lucide-react/icons/layout-grid";
import Rows3 from "lucide-react/icons/rows-3";
import SlidersHorizontal from "lucide-react/icons/sliders-horizontal";
import * as common from "messages/common";
import * as m from "messages/search";
import type { ComponentType, MouseEvent } from "react";
import type { View } from "../../../lib/api.gen";
import { digits } from "../../../lib/numbers";
import { openOverlay } from "../../../lib/overlay";
import { Button } from "../../../ui/button";
import { Select } from "../../../ui/select";
import { usePendingValue } from "../../../ui/use-pending-value";
import { type ListingQuery, listingUrl, SIZES, SORTS } from "../listing-query";
import { HiddenParams } from "./hidden-params";
import styles from "./toolbar.module.css";

const VIEWS: { view: View; name: () => string; icon: ComponentType<IconProps> }[] = [
  { view: "grid", name: m.grid, icon: LayoutGrid },
  { view: "list", name: m.list, icon: Rows3 },
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
      <p className={styles.count}>{common.productCount({ count: total })}</p>
      {on !== null && <FiltersLink on={on} />}
      <SortForm query={query} />
      <ul className={styles.views} aria-label={m.view()}>
        {VIEWS.map(({ view, name, icon: Icon }) => (
          <li key={view}>
            <a
              href={listingUrl({ ...query, view })}
              aria-label={name()}
              title={name()}
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
      {on === 0 ? m.filters() : m.filtersWithCount({ count: on })}
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
        label={common.sortBy()}
        name="sort"
        value={sort}
        onChange={(event) => setSort(event.currentTarget.value)}
        options={SORTS.map(({ value, label }) => ({ value, label: label() }))}
      />
      <Select
        label={m.show()}
        name="size"
        value={size}
        onChange={(event) => setSize(event.currentTarget.value)}
        options={SIZES.map((size) => ({ value: String(size), label: digits(size) }))}
      />
      <span className="without-js">
        <Button type="submit" quiet>
          {common.apply()}
        </Button>
      </span>
    </form>
  );
}
