import type { Page } from "../../../lib/api.gen";
import { closeOverlay, closeOverlayForNavigation, returnsFocus } from "../../../lib/overlay";
import { useShop } from "../../../lib/shop-context";
import { categoryUrl, loginUrl, SITE_LINKS } from "../../../lib/urls";
import { Drawer } from "../../../ui/drawer";
import { signOutOrToast } from "../../account/account-links";
import { useUser } from "../../auth/auth";
import styles from "./menu-panel.module.css";

export default function MenuPanel({ open, page }: { open: boolean; page: Page }) {
  const { shop } = useShop();
  const user = useUser();
  return (
    <Drawer
      open={open}
      onClose={closeOverlay}
      title="Menu"
      side="left"
      thumb
      returnsFocus={returnsFocus}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the links are clicked; any of them closes the menu. */}
      <div className={styles.menu} onClick={leaveByLink}>
        <nav aria-label="Shop by category">
          <ul className={styles.categories}>
            {shop.categories.map((category) => (
              <li key={category._id}>
                <a href={categoryUrl(category._id)}>{category.name}</a>
              </li>
            ))}
          </ul>
        </nav>
        <nav aria-label="Site">
          <ul className={styles.links}>
            {SITE_LINKS.map(({ name, url }) => (
              <li key={url}>
                <a href={url} aria-current={page.url === url ? "page" : undefined}>
                  {name}
                </a>
              </li>
            ))}
            <li>
              <a href="/track">Track my order</a>
            </li>
            <li>
              <a href="/wishlist">Wishlist</a>
            </li>
          </ul>
        </nav>
        <div className={styles.account}>
          {user === null ? (
            <>
              <a href="/register">Register</a>
              <a href={loginUrl(page.url)}>Sign in</a>
            </>
          ) : (
            <>
              <a href="/account">Account</a>
              <button type="button" onClick={() => void signOutOrToast().then(closeOverlay)}>
                Logout
              </button>
            </>
          )}
        </div>
      </div>
    </Drawer>
  );
}

function leaveByLink(event: React.MouseEvent) {
  if ((event.target as Element).closest("a")) closeOverlayForNavigation();
}
