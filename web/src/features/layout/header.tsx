import Phone from "lucide-react/icons/phone";
import Truck from "lucide-react/icons/truck";
import * as common from "messages/common";
import * as m from "messages/layout";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Page } from "../../lib/api.gen";
import { fieldLang, localUrl } from "../../lib/language";
import { useShop } from "../../lib/shop-context";
import { categoryUrl, phoneUrl, SITE_LINKS } from "../../lib/urls";
import { AccountLinks } from "../account/account-links";
import { SearchForm } from "../search/search-form";
import styles from "./header.module.css";
import { CurrencySelect } from "./internal/currency-select";
import { HeaderTools } from "./internal/header-tools";
import { LanguageSwitch } from "./internal/language-switch";
import { ThemeSwitch } from "./internal/theme-switch";

export function Header({ page }: { page: Page }) {
  const shop = useShop();
  const [searching, setSearching] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const current = page.page === "category" ? page.props.category._id : null;

  // The field must be rendered and focused within the tap, or a phone does not open its keyboard.
  function search() {
    flushSync(() => setSearching(!searching));
    field.current?.focus();
  }

  return (
    <header className={styles.header}>
      <div className={styles.utility}>
        <div className={`wrap ${styles.utilityRow}`}>
          {shop.phone && (
            <a className={styles.phone} href={phoneUrl(shop.phone)}>
              <span className={styles.fit}>
                <Phone size={16} strokeWidth={1.5} aria-hidden />
                <span>{shop.phone}</span>
              </span>
            </a>
          )}
          <a className={styles.track} href={localUrl("/track")}>
            <Truck size={16} strokeWidth={1.5} aria-hidden />
            {common.trackMyOrder()}
          </a>
          <CurrencySelect page={page} />
          <LanguageSwitch page={page} />
          <ThemeSwitch />
        </div>
      </div>
      <div className={`wrap ${styles.main}`}>
        <a
          className={styles.logo}
          href={localUrl("/")}
          aria-current={page.page === "home" ? "page" : undefined}
        >
          {shop.name}
        </a>
        <SearchForm
          page={page}
          open={searching}
          onClose={() => setSearching(false)}
          field={field}
        />
        <AccountLinks page={page} />
        <HeaderTools page={page} searching={searching} onSearch={search} />
      </div>
      <div className={styles.navigation}>
        <div className={`wrap ${styles.navigationRow}`}>
          <nav className={styles.categories} aria-label={common.categories()}>
            <ul>
              {shop.categories.map((category) => (
                <li key={category._id}>
                  <a
                    href={categoryUrl(category._id)}
                    lang={fieldLang(category, "name")}
                    aria-current={category._id === current ? "page" : undefined}
                  >
                    {category.name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <nav className={styles.site} aria-label={m.site()}>
            <ul>
              {SITE_LINKS.map(({ name, path }) => (
                <li key={path}>
                  <a href={localUrl(path)} aria-current={page.url === path ? "page" : undefined}>
                    {name()}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </div>
      </div>
    </header>
  );
}
