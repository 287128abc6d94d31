import { CategoryCard } from "../components/category-card";
import { FlashDeal } from "../components/flash-deal";
import { JsonLd } from "../components/json-ld";
import { PageHead } from "../components/page-head";
import { Price } from "../components/price";
import { ProductGrid } from "../components/product-grid";
import type { ProductCard } from "../lib/api.gen";
import type { PageOf } from "../lib/page";
import { cardName, count } from "../lib/text";
import { productUrl } from "../lib/urls";
import { ButtonLink } from "../ui/button";
import { Picture } from "../ui/picture";
import { Section } from "../ui/section";
import styles from "./home.module.css";

export default function Home(page: PageOf<"home">) {
  const { shop, props } = page;
  const star = props.flash[0] ?? props.products[0];
  return (
    <>
      <PageHead
        page={page}
        title={`${shop.name} · ${shop.tagline}`}
        description={`${shop.tagline} ${count(props.total, "product", "products")} in ${count(shop.categories.length, "category", "categories")} at ${shop.name}.`}
        image={star?.img[0]}
      />
      <JsonLd
        data={{
          "@type": "Organization",
          name: shop.name,
          url: page.origin,
          email: shop.email,
          telephone: shop.phone,
          address: shop.address,
        }}
      />
      <JsonLd
        data={{
          "@type": "WebSite",
          name: shop.name,
          url: page.origin,
          potentialAction: {
            "@type": "SearchAction",
            target: `${page.origin}/search?q={search_term_string}`,
            "query-input": "required name=search_term_string",
          },
        }}
      />
      <div className={`wrap ${styles.hero}`}>
        <div className={styles.words}>
          <h1>{shop.tagline}</h1>
          <p>
            {count(props.total, "product", "products")}, {shop.categories.length} stalls, one
            market.
          </p>
          <div className={styles.actions}>
            <ButtonLink href="#products">Browse the products</ButtonLink>
            {props.flash.length > 0 && (
              <ButtonLink href="#flash" quiet>
                See the flash deals
              </ButtonLink>
            )}
          </div>
        </div>
        {star && <Star product={star} />}
      </div>
      {props.flash.length > 0 && (
        <FlashDeal products={props.flash} ends={props.flashEnds} now={props.now} />
      )}
      {shop.categories.length > 0 && (
        <Section id="categories" title="Explore Popular Categories">
          <ul className={styles.categories}>
            {shop.categories.map((category) => (
              <CategoryCard key={category._id} category={category} />
            ))}
          </ul>
        </Section>
      )}
      <Section
        id="products"
        title="Products"
        aside={<p className={styles.total}>{count(props.total, "product", "products")}</p>}
      >
        {props.products.length === 0 ? (
          <p>The stalls are being set up. Please look in again soon.</p>
        ) : (
          <ProductGrid products={props.products} />
        )}
      </Section>
    </>
  );
}

// One product, as large as a photograph deserves.
function Star({ product }: { product: ProductCard }) {
  return (
    <a className={styles.star} href={productUrl(product._id)}>
      <Picture
        picture={product.pictures[0]}
        name={product.name}
        sizes="(min-width: 86rem) 592px, (min-width: 48rem) 44vw, 92vw"
        loading="first"
      />
      <div className={styles.caption}>
        <span className={styles.starName}>{cardName(product.name)}</span>
        <Price real={product.realPrice} buy={product.buyPrice} />
      </div>
    </a>
  );
}
