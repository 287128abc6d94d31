import LayoutGrid from "lucide-react/icons/layout-grid";
import Rows3 from "lucide-react/icons/rows-3";
import SlidersHorizontal from "lucide-react/icons/sliders-horizontal";
import type { ComponentType, MouseEvent } from "react";
import type { View } from "../../lib/api.gen";
import { type Choice, listingUrl, productCount, SIZES, SORTS } from "../../lib/finding/choice";
import { useChoice } from "../../lib/finding/use-choice";
import { openOverlay } from "../../lib/overlay";
import { Button } from "../../ui/button";
import { Select } from "../../ui/select";
import { Kept } from "./kept";
import styles from "./toolbar.module.css";

const SIZE_OPTIONS = SIZES.map((size) => ({ value: String(size), label: String(size) }));

const VIEWS: { view: View; name: string; icon: ComponentType<IconProps> }[] = [
  { view: "grid", name: "Grid", icon: LayoutGrid },
  { view: "list", name: "List", icon: Rows3 },
];
type IconProps = { size: number; strokeWidth: number; "aria-hidden": true };

type Props = {
  choice: Choice;
  total: number;
  // How many filters are on; null where there are none to choose from.
  on: number | null;
};

export function Toolbar({ choice, total, on }: Props) {
  return (
    <div className={styles.tools}>
      <p className={styles.count}>{productCount(total)}</p>
      {on !== null && <FiltersLink on={on} />}
      <Order choice={choice} />
      <ul className={styles.views} aria-label="View">
        {VIEWS.map(({ view, name, icon: Icon }) => (
          <li key={view}>
            <a
              href={listingUrl({ ...choice, view })}
              aria-label={name}
              title={name}
              aria-current={view === choice.view ? "true" : undefined}
            >
              <Icon size={18} strokeWidth={1.5} aria-hidden />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

// Leads to the filters below the list where there is no JavaScript to open them beside it.
function FiltersLink({ on }: { on: number }) {
  function open(event: MouseEvent) {
    event.preventDefault();
    openOverlay("filters");
  }
  return (
    // biome-ignore lint/a11y/useValidAnchor: it does lead there.
    <a className={styles.filters} href="#filters" data-opens aria-haspopup="dialog" onClick={open}>
      <SlidersHorizontal size={18} strokeWidth={1.5} aria-hidden />
      {on === 0 ? "Filters" : `Filters (${on})`}
    </a>
  );
}

function Order({ choice }: { choice: Choice }) {
  const [sort, setSort] = useChoice<string>(choice.sort);
  const [size, setSize] = useChoice(String(choice.size));
  return (
    <form className={styles.form} method="get" action={choice.path} data-live>
      <Kept choice={choice} except={["sort", "size"]} />
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
