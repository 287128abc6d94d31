import Phone from "lucide-react/icons/phone";
import type { Page } from "../lib/api.gen";
import { useShop } from "../lib/shop";
import { categoryUrl } from "../lib/urls";
import { AccountLinks } from "./account-links";
import { CurrencySelect } from "./currency-select";
import styles from "./header.module.css";
import { ThemeSwitch } from "./theme-switch";

export function Header({ page }: { page: Page }) {
  const { shop } = useShop();
  const current = page.page === "category" ? page.props.category._id : null;
  return (
    <header className={styles.header}>
      <div className={styles.utility}>
        <div className={`wrap ${styles.utilityRow}`}>
          <a className={styles.phone} href={`tel:${shop.phone.replace(/[^+\d]/g, "")}`}>
            <Phone size={16} strokeWidth={1.5} aria-hidden />
            {shop.phone}
          </a>
          <CurrencySelect back={page.url} />
          <ThemeSwitch />
        </div>
      </div>
      <div className={`wrap ${styles.main}`}>
        <a
          className={styles.logo}
          href="/"
          aria-current={page.page === "home" ? "page" : undefined}
        >
          {shop.name}
        </a>
        <AccountLinks page={page} />
        <nav className={styles.categories} aria-label="Categories">
          <ul>
            {shop.categories.map((category) => (
              <li key={category._id}>
                <a
                  href={categoryUrl(category._id)}
                  aria-current={category._id === current ? "page" : undefined}
                >
                  {category.name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </header>
  );
}
