import Smartphone from "lucide-react/icons/smartphone";
import * as common from "messages/common";
import * as m from "messages/layout";
import type { Page } from "../../lib/api.gen";
import { localUrl } from "../../lib/language";
import { digits } from "../../lib/numbers";
import { useShop } from "../../lib/shop-context";
import { categoryUrl, contentUrl, phoneUrl } from "../../lib/urls";
import { Picture } from "../../ui/picture";
import { useUser } from "../auth/auth";
import { NewsletterForm } from "../messages/newsletter-form";
import styles from "./footer.module.css";
import { LanguageSwitch } from "./internal/language-switch";
import { PaymentIcons } from "./payment-icons";

type Link = { name: string; url: string };

const POLICIES = [
  { name: common.termsOfUse, path: "/terms_condition" },
  { name: common.privacyPolicies, path: "/privacy" },
  { name: common.refundPolicies, path: "/refund" },
  { name: common.returnPolicies, path: "/return" },
];

// `newsletter`: whether to show the form, where the page has none.
export function Footer({ page, newsletter }: { page: Page; newsletter: boolean }) {
  const shop = useShop();
  const user = useUser();
  const shopLinks: Link[] = [
    { name: m.aboutUs(), url: localUrl("/about") },
    { name: m.contactUs(), url: localUrl("/contact") },
    { name: m.blogs(), url: localUrl("/blog") },
    { name: m.giftCardBalance(), url: localUrl("/gift-card") },
    { name: m.myOrder(), url: localUrl(user === null ? "/login" : "/account") },
  ];
  const policyLinks = POLICIES.map(({ name, path }) => ({ name: name(), url: localUrl(path) }));
  const categoryLinks = shop.categories.map(({ _id, name }) => ({ name, url: categoryUrl(_id) }));
  return (
    <footer className={styles.footer} id="footer">
      <div className={`wrap ${styles.top}`}>
        <div className={styles.shop}>
          <p className={styles.name}>{shop.name}</p>
          {shop.tagline && <p>{shop.tagline}</p>}
          <address>
            {shop.address && <span>{shop.address}</span>}
            {shop.email && <a href={`mailto:${shop.email}`}>{shop.email}</a>}
            {shop.phone && <a href={phoneUrl(shop.phone)}>{shop.phone}</a>}
          </address>
        </div>
        {newsletter && (
          <div className={styles.newsletter}>
            <h2>{m.newsletter()}</h2>
            <NewsletterForm />
          </div>
        )}
      </div>
      <div className={`wrap ${styles.columns}`}>
        <Links id="footer-categories" title={common.categories()} links={categoryLinks} wide />
        <Links id="footer-shop" title={m.theShop()} links={shopLinks} />
        <Links id="footer-policies" title={m.policies()} links={policyLinks} />
        {shop.demo && (
          <section aria-labelledby="footer-app">
            <h2 id="footer-app">{m.onYourPhone()}</h2>
            <ul className={styles.badges}>
              <Badge system={m.iphone()} />
              <Badge system={m.android()} />
            </ul>
          </section>
        )}
      </div>
      {shop.gallery.length > 0 && (
        <ul className={`wrap ${styles.gallery}`} aria-label={m.gallery()}>
          {shop.gallery.map(({ picture, link }) => (
            <li key={picture?.src ?? link}>
              <a href={contentUrl(link)} rel="noopener">
                <Picture
                  picture={picture ?? undefined}
                  name=""
                  sizes="(min-width: 86rem) 200px, (min-width: 48rem) 15vw, 30vw"
                  widest={640}
                  loading="lazy"
                />
              </a>
            </li>
          ))}
        </ul>
      )}
      <div className={`wrap ${styles.end}`}>
        <p>
          © {digits(shop.demo ? `2023–${shop.year}` : shop.year)} {shop.name}
        </p>
        <LanguageSwitch page={page} />
        <PaymentIcons />
        <a href="/api/docs" hrefLang="en">
          {m.forDevelopers()}
        </a>
      </div>
    </footer>
  );
}

type LinksProps = { id: string; title: string; links: Link[]; wide?: boolean };

function Links({ id, title, links, wide }: LinksProps) {
  return (
    <section aria-labelledby={id} data-wide={wide}>
      <h2 id={id}>{title}</h2>
      <ul>
        {links.map(({ name, url }) => (
          <li key={name}>
            <a href={url}>{name}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

// A placeholder for an app store badge.
function Badge({ system }: { system: string }) {
  return (
    <li>
      {/* biome-ignore lint/a11y/useSemanticElements: a link without an address; it is announced as disabled. */}
      <span className={styles.badge} role="link" aria-disabled tabIndex={-1}>
        <Smartphone size={22} strokeWidth={1.5} aria-hidden />
        <span>{m.comingTo({ system, small: (text) => <small>{text}</small> })}</span>
      </span>
    </li>
  );
}
