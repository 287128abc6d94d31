import Heart from "lucide-react/icons/heart";
import Menu from "lucide-react/icons/menu";
import Search from "lucide-react/icons/search";
import ShoppingBag from "lucide-react/icons/shopping-bag";
import type { ComponentType, MouseEvent } from "react";
import type { Page } from "../../../lib/api.gen";
import { openOverlay } from "../../../lib/overlay";
import { pluralize } from "../../../lib/text";
import { useUnits } from "../../cart/cart";
import { useWishlistCount } from "../../wishlist/wishlist";
import styles from "./header-tools.module.css";

type Props = { page: Page; searching: boolean; onSearch: () => void };

// Menu, search, wishlist and cart. On a phone they form a bar at the bottom. All are links, so that
// they work without JavaScript.
export function HeaderTools({ page, searching, onSearch }: Props) {
  const wishes = useWishlistCount();
  const units = useUnits();
  return (
    <nav className={styles.tools} aria-label="Shopping">
      <Tool
        name="Menu"
        href="#footer"
        icon={Menu}
        kind="menu"
        onPress={() => openOverlay("menu")}
      />
      <Tool
        name="Search"
        href="/search"
        icon={Search}
        kind="search"
        on={searching}
        onPress={onSearch}
      />
      <Tool name="Wishlist" href="/wishlist" icon={Heart} number={wishes} />
      <Tool
        name="Cart"
        href="/cart"
        icon={ShoppingBag}
        number={units}
        {...(page.page !== "cart" && { onPress: () => openOverlay("cart") })}
      />
    </nav>
  );
}

type ToolProps = {
  name: string;
  href: string;
  icon: ComponentType<{ size: number; strokeWidth: number; "aria-hidden": true }>;
  kind?: "menu" | "search";
  number?: number;
  on?: boolean;
  onPress?: () => void;
};

function Tool({ name, href, icon: Icon, kind, number = 0, on, onPress }: ToolProps) {
  function press(event: MouseEvent) {
    if (onPress === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onPress();
  }
  return (
    <a
      className={styles.tool}
      href={href}
      data-kind={kind}
      data-opens={onPress ? "" : undefined}
      aria-label={number === 0 ? name : `${name}, ${pluralize(number, "item", "items")}`}
      aria-expanded={on}
      onClick={press}
    >
      <span className={styles.name}>{name}</span>
      <span className={styles.icon}>
        <Icon size={22} strokeWidth={1.5} aria-hidden />
        {number > 0 && (
          // A new key restarts the animation. The number is drawn by CSS: as text it would make the
          // link "Cart2".
          <span key={number} className={styles.number} data-number={number > 99 ? "99+" : number} />
        )}
      </span>
    </a>
  );
}
