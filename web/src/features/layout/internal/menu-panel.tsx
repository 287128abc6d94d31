import * as common from "messages/common";
import * as m from "messages/layout";
import type { Page } from "../../../lib/api.gen";
import { localUrl } from "../../../lib/language";
import { closeOverlay, closeOverlayForNavigation, returnsFocus } from "../../../lib/overlay";
import { useShop } from "../../../lib/shop-context";
import { categoryUrl, loginUrl, SITE_LINKS } from "../../../lib/urls";
import { Drawer } from "../../../ui/drawer";
import { signOutOrToast } from "../../account/account-links";
import { useUser } from "../../auth/auth";
import styles from "./menu-panel.module.css";

export default function MenuPanel({ open, page }: { open: boolean; page: Page }) {
  const shop = useShop();
  const user = useUser();
  return (
    <Drawer
      open={open}
      onClose={closeOverlay}
      title={m.menu()}
      side="start"
      thumb
      returnsFocus={returnsFocus}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the links are clicked; any of them closes the menu. */}
      <div className={styles.menu} onClick={leaveByLink}>
        <nav aria-label={m.shopByCategory()}>
          <ul className={styles.categories}>
            {shop.categories.map((category) => (
              <li key={category._id}>
                <a href={categoryUrl(category._id)}>{category.name}</a>
              </li>
            ))}
          </ul>
        </nav>
        <nav aria-label={m.site()}>
          <ul className={styles.links}>
            {SITE_LINKS.map(({ name, path }) => (
              <li key={path}>
                <a href={localUrl(path)} aria-current={page.url === path ? "page" : undefined}>
                  {name()}
                </a>
              </li>
            ))}
            <li>
              <a href={localUrl("/track")}>{common.trackMyOrder()}</a>
            </li>
            <li>
              <a href={localUrl("/wishlist")}>{common.wishlist()}</a>
            </li>
          </ul>
        </nav>
        <div className={styles.account}>
          {user === null ? (
            <>
              <a href={localUrl("/register")}>{common.register()}</a>
              <a href={loginUrl(page.url)}>{common.signIn()}</a>
            </>
          ) : (
            <>
              <a href={localUrl("/account")}>{common.account()}</a>
              <button type="button" onClick={() => void signOutOrToast().then(closeOverlay)}>
                {m.logout()}
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
