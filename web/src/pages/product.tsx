import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Breadcrumbs } from "../components/breadcrumbs";
import { BuyBar } from "../components/buy-bar";
import { BuyBox } from "../components/buy-box";
import { BuyingTerms } from "../components/buying-terms";
import { Colours, Gallery, useGallery } from "../components/gallery";
import { JsonLd } from "../components/json-ld";
import { absolute, PageHead } from "../components/page-head";
import { Price } from "../components/price";
import { ProductGrid } from "../components/product-grid";
import { RecentlySeen } from "../components/recently-seen";
import { Reviews } from "../components/reviews/reviews";
import { SaleEnd } from "../components/sale-end";
import { Share } from "../components/share";
import { Stock } from "../components/stock";
import { Unbroken } from "../components/unbroken";
import type { Product, ReviewPage, ReviewSummary } from "../lib/api.gen";
import { cents, minus, plain, saving } from "../lib/money";
import type { PageOf } from "../lib/page";
import { areChosen, REVIEWS, tenths } from "../lib/reviews";
import { useMoney } from "../lib/shop";
import { count, cut, paragraphs } from "../lib/text";
import { categoryUrl, productUrl } from "../lib/urls";
import { Apart } from "../ui/apart";
import { Section } from "../ui/section";
import { Stars } from "../ui/stars";
import { Tabs } from "../ui/tabs";
import styles from "./product.module.css";

export default function ProductPage(page: PageOf<"product">) {
  // Another product is another page: nothing of this one stays.
  return <OneProduct key={page.props.product._id} {...page} />;
}

function OneProduct(page: PageOf<"product">) {
  const { product, category, related, now } = page.props;
  const [tab, setTab] = useTab(areChosen(page.props.reviews));
  const [reviews, setSummary] = useSummary(page.props.reviews);
  return (
    <>
      <PageHead
        page={page}
        path={productUrl(product._id)}
        title={`${product.name} · ${page.shop.name}`}
        description={cut(product.fullDescription.replace(/\s+/g, " "), 160)}
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
          summary={reviews.summary}
          onReviews={() => flushSync(() => setTab(REVIEWS))}
          now={now}
          address={page.origin + productUrl(product._id)}
        />
        <div className={styles.tabs}>
          <Apart>
            <Tabs
              label="About this product"
              shown={tab}
              onShow={setTab}
              tabs={[
                {
                  id: "description",
                  name: "Description",
                  content: <Description text={product.fullDescription} />,
                },
                {
                  id: "information",
                  name: "Information",
                  content: <Information product={product} category={category.name} />,
                },
                {
                  id: REVIEWS,
                  name: "Reviews",
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
          </Apart>
        </div>
      </div>
      {related.length > 0 && (
        <Section id="related" title="Related products">
          <ProductGrid products={related} />
        </Section>
      )}
      <RecentlySeen except={product._id} />
    </>
  );
}

// The tab that is open. An address that leads to the reviews opens theirs: the browser alone sees the
// part behind the #, and finds nothing to scroll to while the tab is closed.
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

// What the reviews come to, with one's own among them at once: the kept page follows a moment later.
function useSummary(said: ReviewPage): [page: ReviewPage, set: (summary: ReviewSummary) => void] {
  const [known, setKnown] = useState<{ said: ReviewPage; summary: ReviewSummary } | null>(null);
  const page = known?.said === said ? { ...said, summary: known.summary } : said;
  return [page, (summary) => setKnown({ said, summary })];
}

type ShowcaseProps = {
  product: Product;
  summary: ReviewSummary;
  onReviews: () => void;
  now: string;
  address: string;
};

// The pictures and the words, which turn to the same colour together.
function Showcase({ product, summary, onReviews, now, address }: ShowcaseProps) {
  const gallery = useGallery(product);
  return (
    <div className={styles.product}>
      <div className={styles.pictures}>
        <Gallery {...gallery} />
      </div>
      <div className={styles.words}>
        <Offer product={product} summary={summary} onReviews={onReviews} now={now} />
        {product.colours.length > 0 && <Colours {...gallery} />}
        <div className={styles.buy}>
          <BuyBox product={product} />
          <BuyBar product={product} />
          <BuyingTerms />
        </div>
        <Facts product={product} />
        <Share name={product.name} url={address} />
      </div>
    </div>
  );
}

function Offer({ product, summary, onReviews, now }: Omit<ShowcaseProps, "address">) {
  const money = useMoney();
  const real = cents(product.realPrice);
  const buy = cents(product.buyPrice);
  const saved = saving(real, buy);
  return (
    <>
      <p className={styles.brand}>{product.brand}</p>
      <h1>
        <Unbroken text={product.name} />
      </h1>
      <Rating summary={summary} onReviews={onReviews} />
      <Price real={product.realPrice} buy={product.buyPrice} large />
      {buy < real && (
        <p className={styles.saving}>
          You save {money(minus(real, buy))}
          {saved > 0 && ` (${saved}%)`}
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
          <Stars rating={rating} /> {tenths(rating)}
        </>
      )}
      {/* The tab is open by the time the browser looks for the place. */}
      <a href={`#${REVIEWS}`} onClick={onReviews}>
        {summary.count > 0 ? count(summary.count, "Review", "Reviews") : "Write the first review"}
      </a>
    </p>
  );
}

function Facts({ product }: { product: Product }) {
  return (
    <dl className={styles.facts}>
      {product.tags.length > 0 && (
        <Fact name="Tags">
          <Chips words={product.tags} />
        </Fact>
      )}
      <Fact name="SKU">{product.sku}</Fact>
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

function Chips({ words }: { words: string[] }) {
  return (
    <ul className={styles.chips}>
      {words.map((word) => (
        <li key={word}>{word}</li>
      ))}
    </ul>
  );
}

function Description({ text }: { text: string }) {
  return (
    <div className={styles.text}>
      {paragraphs(text).map(({ text, place }) => (
        <p key={place}>{text}</p>
      ))}
    </div>
  );
}

function Information({ product, category }: { product: Product; category: string }) {
  const rows = [
    ...(product.brand ? [{ name: "Brand", value: product.brand }] : []),
    { name: "Category", value: category },
    ...product.attributes,
  ];
  return (
    <table className={styles.information}>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
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
      availability: `https://schema.org/${product.qtn > 0 ? "InStock" : "OutOfStock"}`,
      ...(product.buyPrice < product.realPrice &&
        product.saleEnd && { priceValidUntil: product.saleEnd.slice(0, 10) }),
    },
    // Only what buyers said.
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
        author: { "@type": "Person", name: review.name },
        datePublished: review.createdAt.slice(0, 10),
        reviewRating: { "@type": "Rating", ratingValue: review.rating },
      })),
    }),
  };
}
