import { Fragment, type ReactNode } from "react";
import { Breadcrumbs } from "../components/breadcrumbs";
import { BuyBar } from "../components/buy-bar";
import { BuyBox } from "../components/buy-box";
import { Colours, Gallery, useGallery } from "../components/gallery";
import { JsonLd } from "../components/json-ld";
import { absolute, PageHead } from "../components/page-head";
import { Price } from "../components/price";
import { ProductGrid } from "../components/product-grid";
import { RecentlySeen } from "../components/recently-seen";
import { SaleEnd } from "../components/sale-end";
import { Share } from "../components/share";
import { Stock } from "../components/stock";
import type { Product } from "../lib/api.gen";
import { cents, minus, plain, saving } from "../lib/money";
import type { PageOf } from "../lib/page";
import { useMoney } from "../lib/shop";
import { cut, paragraphs } from "../lib/text";
import { categoryUrl, productUrl } from "../lib/urls";
import { Empty } from "../ui/empty";
import { Section } from "../ui/section";
import { Stars } from "../ui/stars";
import { Tabs } from "../ui/tabs";
import styles from "./product.module.css";

export default function ProductPage(page: PageOf<"product">) {
  const { product, category, related, now } = page.props;
  return (
    // Another product is another page: nothing of this one stays.
    <Fragment key={product._id}>
      <PageHead
        page={page}
        title={`${product.name} · ${page.shop.name}`}
        description={cut(product.fullDescription.replace(/\s+/g, " "), 160)}
        image={product.img[0]}
        kind="product"
      />
      <JsonLd data={productData(product, page.origin)} />
      <div className="wrap">
        <Breadcrumbs
          origin={page.origin}
          trail={[
            { name: category.name, url: categoryUrl(category._id) },
            { name: product.name, url: productUrl(product._id) },
          ]}
        />
        <Showcase product={product} now={now} address={page.origin + page.url} />
        <div className={styles.tabs}>
          <Tabs
            label="About this product"
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
              { id: "reviews", name: "Reviews", content: <Reviews rating={product.rating} /> },
            ]}
          />
        </div>
      </div>
      {related.length > 0 && (
        <Section id="related" title="Related products">
          <ProductGrid products={related} />
        </Section>
      )}
      <RecentlySeen except={product._id} />
    </Fragment>
  );
}

type ShowcaseProps = { product: Product; now: string; address: string };

// The pictures and the words, which turn to the same colour together.
function Showcase({ product, now, address }: ShowcaseProps) {
  const gallery = useGallery(product);
  return (
    <div className={styles.product}>
      <div className={styles.pictures}>
        <Gallery {...gallery} />
      </div>
      <div className={styles.words}>
        <Offer product={product} now={now} />
        {product.colours.length > 0 && <Colours {...gallery} />}
        <div className={styles.buy}>
          <BuyBox product={product} />
          <BuyBar product={product} />
        </div>
        <Facts product={product} />
        <Share name={product.name} url={address} />
      </div>
    </div>
  );
}

function Offer({ product, now }: { product: Product; now: string }) {
  const money = useMoney();
  const real = cents(product.realPrice);
  const buy = cents(product.buyPrice);
  const saved = saving(real, buy);
  return (
    <>
      <p className={styles.brand}>{product.brand}</p>
      <h1>{product.name}</h1>
      {product.rating > 0 && (
        <p className={styles.rating}>
          <Stars rating={product.rating} /> {product.rating}
        </p>
      )}
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

// Writing one comes with the orders: only who has bought may.
function Reviews({ rating }: { rating: number }) {
  return (
    <div className={styles.reviews}>
      {rating > 0 && (
        <p className={styles.mean}>
          <b>{rating}</b> <Stars rating={rating} />
        </p>
      )}
      <Empty title="No one has written yet">
        <p>Whoever has bought this can say how it holds up.</p>
      </Empty>
    </div>
  );
}

function productData(product: Product, origin: string): Record<string, unknown> {
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
  };
}
