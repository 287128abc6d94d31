import * as m from "messages/catalog";
import * as common from "messages/common";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { BuyBar } from "../features/catalog/buy-bar";
import { BuyBox } from "../features/catalog/buy-box";
import { BuyingTerms } from "../features/catalog/buying-terms";
import { Colours, Gallery, useGallery } from "../features/catalog/gallery";
import { NotSold } from "../features/catalog/not-sold";
import { Price } from "../features/catalog/price";
import { ProductGrid } from "../features/catalog/product-grid";
import { RecentlyViewed } from "../features/catalog/recently-viewed-section";
import { SaleEnd } from "../features/catalog/sale-end";
import { Stock } from "../features/catalog/stock";
import { Breadcrumbs } from "../features/layout/breadcrumbs";
import { JsonLd } from "../features/layout/json-ld";
import { absolute, PageHead } from "../features/layout/page-head";
import { isChosenPage, REVIEWS, tenths, writer } from "../features/reviews/review-api";
import { Reviews } from "../features/reviews/reviews";
import type { Category, Product, ReviewPage, ReviewSummary } from "../lib/api.gen";
import { fieldLang } from "../lib/language";
import { cents, minus, plain, saving } from "../lib/money";
import { formatNumber } from "../lib/numbers";
import type { PageOf } from "../lib/page";
import { useMoney } from "../lib/shop-context";
import { paragraphs, truncate } from "../lib/text";
import { categoryUrl, productUrl } from "../lib/urls";
import { HydrationBoundary } from "../ui/hydration-boundary";
import { NowrapHyphens } from "../ui/nowrap-hyphens";
import { Section } from "../ui/section";
import { ShareLinks } from "../ui/share-links";
import { Stars } from "../ui/stars";
import { Tabs } from "../ui/tabs";
import styles from "./product.module.css";

export default function ProductPage(page: PageOf<"product">) {
  // A new product resets all state.
  return <OneProduct key={page.props.product._id} {...page} />;
}

function OneProduct(page: PageOf<"product">) {
  const { product, category, related, now } = page.props;
  const [tab, setTab] = useTab(isChosenPage(page.props.reviews));
  const [reviews, setSummary] = useSummary(page.props.reviews);
  return (
    <>
      <PageHead
        page={page}
        path={productUrl(product._id)}
        title={`${product.name} · ${page.shop.name}`}
        description={truncate(product.fullDescription.replace(/\s+/g, " "), 160)}
        image={product.img[0]}
        kind="product"
      />
      <JsonLd data={productData(product, page.props.reviews, page.origin)} />
      <div className="wrap">
        <Breadcrumbs
          origin={page.origin}
          trail={[
            { name: category.name, url: categoryUrl(category._id) },
            { name: product.name, url: productUrl(product._id) },
          ]}
        />
        <Showcase
          product={product}
          category={category}
          summary={reviews.summary}
          onReviews={() => flushSync(() => setTab(REVIEWS))}
          now={now}
          address={page.origin + productUrl(product._id)}
        />
        <div className={styles.tabs}>
          <HydrationBoundary>
            <Tabs
              label={m.aboutProduct()}
              shown={tab}
              onShow={setTab}
              tabs={[
                {
                  id: "description",
                  name: m.description(),
                  content: <Description product={product} />,
                },
                {
                  id: "information",
                  name: m.information(),
                  content: <Information product={product} category={category.name} />,
                },
                {
                  id: REVIEWS,
                  name: m.reviews(),
                  content: (
                    <Reviews
                      product={product}
                      page={reviews}
                      open={tab === REVIEWS}
                      changed={setSummary}
                    />
                  ),
                },
              ]}
            />
          </HydrationBoundary>
        </div>
      </div>
      {related.length > 0 && (
        <Section id="related" title={m.related()}>
          <ProductGrid products={related} />
        </Section>
      )}
      <RecentlyViewed except={product._id} />
    </>
  );
}

// The open tab. A URL with the reviews' #hash opens their tab: only the browser sees the hash, and
// it cannot scroll to a closed tab.
function useTab(reviews: boolean): [tab: string, open: (tab: string) => void] {
  const [tab, setTab] = useState(reviews ? REVIEWS : "description");
  const wanted = useRef(false);
  useEffect(() => {
    if (location.hash !== `#${REVIEWS}`) return;
    wanted.current = true;
    setTab(REVIEWS);
  }, []);
  useEffect(() => {
    if (tab !== REVIEWS || !wanted.current) return;
    wanted.current = false;
    document.getElementById(REVIEWS)?.scrollIntoView();
  }, [tab]);
  return [tab, setTab];
}

// The review summary with the customer's own change, until the cached page has it too.
function useSummary(cached: ReviewPage): [page: ReviewPage, set: (summary: ReviewSummary) => void] {
  const [override, setOverride] = useState<{ cached: ReviewPage; summary: ReviewSummary } | null>(
    null,
  );
  const page = override?.cached === cached ? { ...cached, summary: override.summary } : cached;
  return [page, (summary) => setOverride({ cached, summary })];
}

type ShowcaseProps = {
  product: Product;
  category: Category;
  summary: ReviewSummary;
  onReviews: () => void;
  now: string;
  address: string;
};

// Gallery and details, which share the chosen colour.
function Showcase({ product, category, summary, onReviews, now, address }: ShowcaseProps) {
  const gallery = useGallery(product);
  const sold = product.status !== "archived";
  return (
    <div className={styles.product}>
      <div className={styles.pictures}>
        <Gallery {...gallery} />
      </div>
      <div className={styles.words}>
        <p className={styles.brand}>{product.brand}</p>
        <h1 lang={fieldLang(product, "name")}>
          <NowrapHyphens text={product.name} />
        </h1>
        <Rating summary={summary} onReviews={onReviews} />
        {sold ? <Offer product={product} now={now} /> : <NotSold category={category} />}
        {product.colours.length > 0 && <Colours {...gallery} />}
        {sold && (
          <div className={styles.buy}>
            <BuyBox product={product} />
            <BuyBar product={product} />
            <BuyingTerms />
          </div>
        )}
        <Facts product={product} />
        <ShareLinks name={product.name} url={address} label={m.shareProduct()} />
      </div>
    </div>
  );
}

function Offer({ product, now }: Pick<ShowcaseProps, "product" | "now">) {
  const money = useMoney();
  const real = cents(product.realPrice);
  const buy = cents(product.buyPrice);
  const saved = saving(real, buy);
  const amount = money(minus(real, buy));
  return (
    <>
      <Price real={product.realPrice} buy={product.buyPrice} large />
      {buy < real && (
        <p className={styles.saving}>
          {saved > 0 ? m.youSavePercent({ amount, percent: saved }) : m.youSave({ amount })}
        </p>
      )}
      {buy < real && product.saleEnd && <SaleEnd ends={product.saleEnd} now={now} />}
      <div className={styles.stock}>
        <Stock left={product.qtn} />
      </div>
    </>
  );
}

type RatingProps = Pick<ShowcaseProps, "summary" | "onReviews">;

// Without reviews there are no stars.
function Rating({ summary, onReviews }: RatingProps) {
  const { rating } = summary;
  return (
    <p className={styles.rating}>
      {rating > 0 && (
        <>
          <Stars rating={rating} /> {formatNumber(tenths(rating))}
        </>
      )}
      {/* The tab is open before the browser looks for the anchor. */}
      <a href={`#${REVIEWS}`} onClick={onReviews}>
        {summary.count > 0 ? m.reviewCount({ count: summary.count }) : m.writeFirst()}
      </a>
    </p>
  );
}

function Facts({ product }: { product: Product }) {
  return (
    <dl className={styles.facts}>
      {product.tags.length > 0 && (
        <Fact name={common.tags()}>
          <Tags product={product} />
        </Fact>
      )}
      <Fact name={m.sku()}>{product.sku}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Tags({ product }: { product: Product }) {
  return (
    <ul className={styles.chips} lang={fieldLang(product, "tags")}>
      {product.tags.map((tag) => (
        <li key={tag}>{tag}</li>
      ))}
    </ul>
  );
}

function Description({ product }: { product: Product }) {
  return (
    <div className={styles.text} lang={fieldLang(product, "fullDescription")}>
      {paragraphs(product.fullDescription).map(({ text, place }) => (
        <p key={place}>{text}</p>
      ))}
    </div>
  );
}

function Information({ product, category }: { product: Product; category: string }) {
  const rows: { name: string; value: string; lang?: string | undefined }[] = [
    ...(product.brand ? [{ name: common.brand(), value: product.brand }] : []),
    { name: common.category(), value: category },
    ...product.attributes.map((row) => ({ ...row, lang: fieldLang(product, "attributes") })),
  ];
  return (
    <table className={styles.information}>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name} lang={row.lang}>
            <th scope="row">{row.name}</th>
            <td>{row.value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function productData(
  product: Product,
  { summary, reviews }: ReviewPage,
  origin: string,
): Record<string, unknown> {
  return {
    "@type": "Product",
    name: product.name,
    sku: product.sku,
    description: product.fullDescription,
    image: product.img.map((img) => absolute(origin, img)),
    ...(product.brand && { brand: { "@type": "Brand", name: product.brand } }),
    offers: {
      "@type": "Offer",
      url: origin + productUrl(product._id),
      price: plain(cents(product.buyPrice)),
      priceCurrency: "USD",
      availability: `https://schema.org/${availability(product)}`,
      ...(product.buyPrice < product.realPrice &&
        product.saleEnd && { priceValidUntil: product.saleEnd.slice(0, 10) }),
    },
    // Only customers' reviews.
    ...(summary.count > 0 && {
      aggregateRating: {
        "@type": "AggregateRating",
        ratingValue: summary.rating,
        reviewCount: summary.count,
      },
      review: reviews.map((review) => ({
        "@type": "Review",
        name: review.title,
        reviewBody: review.body,
        author: { "@type": "Person", name: writer(review) },
        datePublished: review.createdAt.slice(0, 10),
        reviewRating: { "@type": "Rating", ratingValue: review.rating },
      })),
    }),
  };
}

function availability({ status, qtn }: Product): string {
  if (status === "archived") return "Discontinued";
  return qtn > 0 ? "InStock" : "OutOfStock";
}
