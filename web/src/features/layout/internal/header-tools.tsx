import Heart from "lucide-react/icons/heart";
import Menu from "lucide-react/icons/menu";
import Search from "lucide-react/icons/search";
import ShoppingBag from "lucide-react/icons/shopping-bag";
import * as common from "messages/common";
import * as m from "messages/layout";
import type { ComponentType, MouseEvent } from "react";
import type { Page } from "../../../lib/api.gen";
import { localUrl } from "../../../lib/language";
import { formatNumber } from "../../../lib/numbers";
import { openOverlay } from "../../../lib/overlay";
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
    <nav className={styles.tools} aria-label={m.shopping()}>
      <Tool
        name={m.menu()}
        href="#footer"
        icon={Menu}
        kind="menu"
        onPress={() => openOverlay("menu")}
      />
      <Tool
        name={common.search()}
        href={localUrl("/search")}
        icon={Search}
        kind="search"
        on={searching}
        onPress={onSearch}
      />
      <Tool name={common.wishlist()} href={localUrl("/wishlist")} icon={Heart} number={wishes} />
      <Tool
        name={common.cart()}
        href={localUrl("/cart")}
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
  const badge = number > 99 ? `${formatNumber(99)}+` : formatNumber(number);
  return (
    <a
      className={styles.tool}
      href={href}
      data-kind={kind}
      data-opens={onPress ? "" : undefined}
      aria-label={number === 0 ? name : m.nameWithItems({ name, count: number })}
      aria-expanded={on}
      onClick={press}
    >
      <span className={styles.name}>{name}</span>
      <span className={styles.icon}>
        <Icon size={22} strokeWidth={1.5} aria-hidden />
        {number > 0 && (
          // A new key restarts the animation. The number is drawn by CSS: as text it would make the
          // link "Cart2".
          <span key={number} className={styles.number} data-number={badge} />
        )}
      </span>
    </a>
  );
}
