import { useShop } from "../lib/shop";
import { categoryUrl } from "../lib/urls";
import styles from "./footer.module.css";
import { Subscribe } from "./subscribe";

const INFORMATION = [
  ["/about", "About Us"],
  ["/contact", "Contact Us"],
  ["/blog", "Blogs"],
  ["/terms_condition", "Terms Of Use"],
  ["/privacy", "Privacy Policies"],
  ["/refund", "Refund Policies"],
  ["/return", "Return Policies"],
];

export function Footer() {
  const { shop } = useShop();
  return (
    <footer className={styles.footer}>
      <div className={`wrap ${styles.columns}`}>
        <div className={styles.shop}>
          <p className={styles.name}>{shop.name}</p>
          <p>{shop.tagline}</p>
          <div className={styles.newsletter}>
            <h2>Newsletter</h2>
            <Subscribe />
          </div>
        </div>
        <section aria-labelledby="footer-categories">
          <h2 id="footer-categories">Categories</h2>
          <ul>
            {shop.categories.map((category) => (
              <li key={category._id}>
                <a href={categoryUrl(category._id)}>{category.name}</a>
              </li>
            ))}
          </ul>
        </section>
        <section aria-labelledby="footer-information">
          <h2 id="footer-information">Information</h2>
          <ul>
            {INFORMATION.map(([url, words]) => (
              <li key={url}>
                <a href={url}>{words}</a>
              </li>
            ))}
          </ul>
        </section>
        <section aria-labelledby="footer-contact">
          <h2 id="footer-contact">Contact</h2>
          <address>
            <a href={`tel:${shop.phone.replace(/[^+\d]/g, "")}`}>{shop.phone}</a>
            <a href={`mailto:${shop.email}`}>{shop.email}</a>
            <span>{shop.address}</span>
          </address>
        </section>
      </div>
      <div className={`wrap ${styles.end}`}>
        <p>
          © 2023–{shop.year} {shop.name}
        </p>
        <a href="/api/docs">For developers</a>
      </div>
    </footer>
  );
}
