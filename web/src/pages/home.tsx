import * as common from "messages/common";
import * as m from "messages/home";
import { CategoryCard } from "../features/catalog/category-card";
import { FlashDeal } from "../features/catalog/flash-deal";
import { MoreProducts } from "../features/catalog/more-products";
import { Price } from "../features/catalog/price";
import { FeatureStrip } from "../features/content/feature-strip";
import { PostTeaser } from "../features/content/post-teaser";
import { Slider } from "../features/content/slider";
import { JsonLd, reachedAt } from "../features/layout/json-ld";
import { PageHead } from "../features/layout/page-head";
import { NewsletterForm } from "../features/messages/newsletter-form";
import type { ProductCard } from "../lib/api.gen";
import { localUrl } from "../lib/language";
import type { PageOf } from "../lib/page";
import { cardName } from "../lib/text";
import { productUrl } from "../lib/urls";
import { ButtonLink } from "../ui/button";
import { NowrapHyphens } from "../ui/nowrap-hyphens";
import { Picture } from "../ui/picture";
import { Section } from "../ui/section";
import styles from "./home.module.css";

export default function Home(page: PageOf<"home">) {
  const { shop, props } = page;
  const { words } = props;
  const counts = { products: props.total, categories: shop.categories.length };
  const star = props.flash[0] ?? props.products[0];
  return (
    <>
      <PageHead
        page={page}
        title={[shop.name, shop.tagline].filter(Boolean).join(" · ")}
        description={`${shop.tagline} ${m.description({ ...counts, shop: shop.name })}`.trim()}
        image={props.slides[0]?.picture?.src ?? star?.img[0]}
      />
      <JsonLd
        data={{
          "@type": "Organization",
          name: shop.name,
          url: page.origin,
          ...reachedAt(shop),
        }}
      />
      <JsonLd
        data={{
          "@type": "WebSite",
          name: shop.name,
          url: page.origin,
          potentialAction: {
            "@type": "SearchAction",
            target: `${page.origin}${localUrl("/search")}?q={search_term_string}`,
            "query-input": "required name=search_term_string",
          },
        }}
      />
      {props.slides.length > 0 ? (
        <Slider label={m.slides()} slides={props.slides} lang={props.lang} heading="h1" />
      ) : (
        <Welcome {...page} />
      )}
      {props.features.length > 0 && <FeatureStrip features={props.features} lang={props.lang} />}
      {props.flash.length > 0 && (
        <FlashDeal
          words={words.flash}
          products={props.flash}
          ends={props.flashEnds}
          now={props.now}
        />
      )}
      {shop.categories.length > 0 && (
        <Section
          id="categories"
          title={words.categories.title}
          text={words.categories.text}
          lang={props.lang}
        >
          <ul className={styles.categories}>
            {shop.categories.map((category) => (
              <CategoryCard key={category._id} category={category} />
            ))}
          </ul>
        </Section>
      )}
      <Section
        id="products"
        long
        title={words.products.title}
        text={words.products.text}
        lang={props.lang}
        aside={<p className={styles.total}>{common.productCount({ count: props.total })}</p>}
      >
        {props.products.length === 0 ? (
          <p>{m.noProducts()}</p>
        ) : (
          <MoreProducts
            first={props.products}
            total={props.total}
            next={props.next}
            more={words.products.more}
          />
        )}
      </Section>
      {props.posts.length > 0 && (
        <Section
          id="posts"
          title={words.posts.title}
          text={words.posts.text}
          lang={props.lang}
          aside={<a href={localUrl("/blog")}>{words.posts.more}</a>}
        >
          <div className={styles.posts}>
            {props.posts.map((post) => (
              <PostTeaser key={post.slug} post={post} heading="h3" />
            ))}
          </div>
        </Section>
      )}
      <section className={`wrap ${styles.newsletter}`} aria-labelledby="newsletter-title">
        <div lang={props.lang}>
          <h2 id="newsletter-title">{words.newsletter.title}</h2>
          {words.newsletter.text && <p>{words.newsletter.text}</p>}
        </div>
        <NewsletterForm />
      </section>
    </>
  );
}

// The hero of a shop without slides.
function Welcome({ shop, props }: PageOf<"home">) {
  const counts = { products: props.total, categories: shop.categories.length };
  const star = props.flash[0] ?? props.products[0];
  return (
    <div className={`wrap ${styles.hero}`}>
      <div className={styles.words}>
        <h1>{shop.tagline || shop.name}</h1>
        <p>{m.counts(counts)}</p>
        <div className={styles.actions}>
          <ButtonLink href="#products">{common.browseProducts()}</ButtonLink>
          {props.flash.length > 0 && (
            <ButtonLink href="#flash" quiet>
              {m.flashDeals()}
            </ButtonLink>
          )}
        </div>
      </div>
      {star && <Star product={star} />}
    </div>
  );
}

// One product with a large picture.
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
        <span className={styles.starName}>
          <NowrapHyphens text={cardName(product.name)} />
        </span>
        <Price real={product.realPrice} buy={product.buyPrice} />
      </div>
    </a>
  );
}
