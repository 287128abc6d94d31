import * as m from "messages/catalog";
import * as common from "messages/common";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { BuyBar } from "../features/catalog/buy-bar";
import { BuyBox } from "../features/catalog/buy-box";
import { BuyingTerms } from "../features/catalog/buying-terms";
import {
  type Choice,
  choiceState,
  itemOf,
  knownOf,
  pageOfChoice,
  paramsOfChoice,
  pictureOfChoice,
} from "../features/catalog/choice";
import { Gallery, useGallery } from "../features/catalog/gallery";
import { NotSold } from "../features/catalog/not-sold";
import { OptionChooser } from "../features/catalog/option-chooser";
import { Price } from "../features/catalog/price";
import { productData } from "../features/catalog/product-data";
import { ProductGrid } from "../features/catalog/product-grid";
import { RecentlyViewed } from "../features/catalog/recently-viewed-section";
import { SaleEnd } from "../features/catalog/sale-end";
import { Stock } from "../features/catalog/stock";
import { Breadcrumbs } from "../features/layout/breadcrumbs";
import { JsonLd } from "../features/layout/json-ld";
import { PageHead } from "../features/layout/page-head";
import { isChosenPage, REVIEWS, tenths } from "../features/reviews/review-api";
import { Reviews } from "../features/reviews/reviews";
import type { Price as PriceData, Product, ReviewPage, ReviewSummary } from "../lib/api.gen";
import { fieldLang, localUrl } from "../lib/language";
import { format, minus, saving } from "../lib/money";
import { announce, replacePage } from "../lib/navigation";
import { formatNumber } from "../lib/numbers";
import type { PageOf } from "../lib/page";
import { useMoney, useShop } from "../lib/shop-context";
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
  const { product, category, related } = page.props;
  const [tab, setTab] = useTab(isChosenPage(page.props.reviews));
  const [reviews, setSummary] = useSummary(page.props.reviews);
  return (
    <>
      <PageHead
        page={page}
        path={productUrl(product._id)}
        title={`${product.name} · ${page.shop.name}`}
        description={truncate(product.fullDescription.replace(/\s+/g, " "), 160)}
        image={page.props.variant?.img || product.img[0]}
        kind="product"
      />
      <JsonLd
        data={productData(page.props, { origin: page.origin, currency: page.shop.currency })}
      />
      <div className="wrap">
        <Breadcrumbs
          origin={page.origin}
          trail={[
            { name: category.name, url: categoryUrl(category._id) },
            { name: product.name, url: productUrl(product._id) },
          ]}
        />
        <Showcase
          page={page}
          summary={reviews.summary}
          onReviews={() => flushSync(() => setTab(REVIEWS))}
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
                      choice={paramsOfChoice(page.url, product.options)}
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
  page: PageOf<"product">;
  summary: ReviewSummary;
  onReviews: () => void;
};

// Gallery and details of the chosen variant.
function Showcase({ page, summary, onReviews }: ShowcaseProps) {
  const { product, category, variant, choice } = page.props;
  const gallery = useGallery(product, pictureOfChoice(product, variant, choice));
  const sold = product.status !== "archived";
  const address = productUrl(product._id, paramsOfChoice(page.url, product.options));
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
        {sold ? (
          <>
            <Offer page={page} />
            {product.options.length > 0 && <Options page={page} reveal={gallery.reveal} />}
            <Buy page={page} />
          </>
        ) : (
          <NotSold category={category} />
        )}
        <Facts page={page} />
        <ShareLinks name={product.name} url={page.origin + address} label={m.shareProduct()} />
      </div>
    </div>
  );
}

type PageProps = Pick<ShowcaseProps, "page">;

function Options({ page, reveal }: PageProps & { reveal: (picture: number) => void }) {
  const money = useMoney();
  const { product, allVariants, choice } = page.props;
  const known = knownOf(page.props);

  function choose(choice: Choice) {
    const next = pageOfChoice(page, choice);
    const { variant } = next.props;
    replacePage(next, !allVariants);
    reveal(pictureOfChoice(product, variant, choice));
    const price = variant === null ? "" : money(variant.buyPrice);
    const states = {
      available: price,
      soldOut: common.outOfStock(),
      missing: m.noSuchVariant(),
      unknown: "",
    };
    announce(m.chosenNow({ choice: choice.join(", "), state: states[choiceState(known, choice)] }));
  }

  return (
    <OptionChooser
      product={product}
      known={known}
      choice={choice}
      urlOf={(choice) => localUrl(pageOfChoice(page, choice).url)}
      onChoose={choose}
    />
  );
}

function Buy({ page }: PageProps) {
  const { product, variant, choice } = page.props;
  const loading = choiceState(knownOf(page.props), choice) === "unknown";
  const item = itemOf(product, variant);
  return (
    <div className={styles.buy}>
      <BuyBox item={item} loading={loading} />
      <BuyBar product={product} price={variant ?? product} item={item} />
      <BuyingTerms
        terms={page.props.terms}
        isDelivered={variant?.needsDelivery !== false}
        giftCard={product.giftCard === true}
      />
    </div>
  );
}

function Offer({ page }: PageProps) {
  const { product, variant, terms, now } = page.props;
  if (itemOf(product, variant) === null) return <NoVariant page={page} />;
  const { lowestPriceDays } = terms;
  const { realPrice, buyPrice, saleEnd, qtn } = variant ?? product;
  return (
    <>
      <Price real={realPrice} buy={buyPrice} large />
      <Saving realPrice={realPrice} buyPrice={buyPrice} />
      <LowestPrice days={lowestPriceDays} realPrice={realPrice} buyPrice={buyPrice} />
      {buyPrice < realPrice && saleEnd && <SaleEnd key={saleEnd} ends={saleEnd} now={now} />}
      <div className={styles.stock}>
        {!product.giftCard && <Stock left={qtn} backOrder={variant?.backOrder ?? null} />}
      </div>
    </>
  );
}

// There is no variant with the chosen values, or it has not been loaded yet.
function NoVariant({ page }: PageProps) {
  const { product, choice } = page.props;
  const missing = choiceState(knownOf(page.props), choice) === "missing";
  return (
    <>
      <Price real={product.realPrice} buy={product.buyPrice} from={product.priceFrom} large />
      <p className={styles.missing}>{missing && m.noSuchVariant()}</p>
    </>
  );
}

function Saving({ realPrice, buyPrice }: Pick<PriceData, "realPrice" | "buyPrice">) {
  const { currency } = useShop();
  if (buyPrice >= realPrice) return null;
  const percent = saving(realPrice, buyPrice, currency);
  const amount = format(minus(realPrice, buyPrice, currency), currency);
  return (
    <p className={styles.saving}>
      {percent > 0 ? m.youSavePercent({ amount, percent }) : m.youSave({ amount })}
    </p>
  );
}

type LowestPriceProps = Pick<PriceData, "realPrice" | "buyPrice"> & { days: number };

// Where the price before a reduction is the lowest of the last days.
function LowestPrice({ days, realPrice, buyPrice }: LowestPriceProps) {
  const money = useMoney();
  if (days === 0 || buyPrice >= realPrice) return null;
  return <p className={styles.lowest}>{m.lowestPrice({ days, price: money(realPrice) })}</p>;
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

function Facts({ page }: PageProps) {
  const { product, variant } = page.props;
  const missing = product.status !== "archived" && itemOf(product, variant) === null;
  const { sku } = variant ?? product;
  return (
    <dl className={styles.facts}>
      {product.tags.length > 0 && (
        <Fact name={common.tags()}>
          <Tags product={product} />
        </Fact>
      )}
      {!missing && <Fact name={m.sku()}>{sku}</Fact>}
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
