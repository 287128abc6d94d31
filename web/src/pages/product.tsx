import { Fragment, type ReactNode } from "react";
import { Breadcrumbs } from "../components/breadcrumbs";
import { Colours, Gallery, useGallery } from "../components/gallery";
import { JsonLd } from "../components/json-ld";
import { absolute, PageHead } from "../components/page-head";
import { Price } from "../components/price";
import { ProductGrid } from "../components/product-grid";
import { SaleEnd } from "../components/sale-end";
import type { Product } from "../lib/api.gen";
import { cents, minus, plain, saving } from "../lib/money";
import type { PageOf } from "../lib/page";
import { useMoney } from "../lib/shop";
import { cut, paragraphs } from "../lib/text";
import { categoryUrl, productUrl } from "../lib/urls";
import { Section } from "../ui/section";
import { Stars } from "../ui/stars";
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
        <Showcase product={product} now={now} />
      </div>
      {related.length > 0 && (
        <Section id="related" title="Related products">
          <ProductGrid products={related} />
        </Section>
      )}
    </Fragment>
  );
}

// The pictures and the words, which turn to the same colour together.
function Showcase({ product, now }: { product: Product; now: string }) {
  const gallery = useGallery(product);
  return (
    <div className={styles.product}>
      <div className={styles.pictures}>
        <Gallery {...gallery} />
      </div>
      <div className={styles.words}>
        <Offer product={product} now={now} colours={<Colours {...gallery} />} />
        <h2>Description</h2>
        {paragraphs(product.fullDescription).map(({ text, place }) => (
          <p key={place} className={styles.text}>
            {text}
          </p>
        ))}
        {product.attributes.length > 0 && <Information attributes={product.attributes} />}
      </div>
    </div>
  );
}

type OfferProps = { product: Product; now: string; colours: ReactNode };

function Offer({ product, now, colours }: OfferProps) {
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
      <Stock left={product.qtn} />
      {product.colours.length > 0 && colours}
      <dl className={styles.facts}>
        {product.tags.length > 0 && (
          <Fact name="Tags">
            <Chips words={product.tags} />
          </Fact>
        )}
        <Fact name="SKU">{product.sku}</Fact>
      </dl>
    </>
  );
}

function Stock({ left }: { left: number }) {
  if (left === 0) return <p className={styles.gone}>Out of stock</p>;
  return (
    <p className={styles.stock}>
      In stock{left < 5 && <span className={styles.few}>only {left} left</span>}
    </p>
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

function Information({ attributes }: { attributes: Product["attributes"] }) {
  return (
    <>
      <h2>Information</h2>
      <table className={styles.information}>
        <tbody>
          {attributes.map((attribute) => (
            <tr key={attribute.name}>
              <th scope="row">{attribute.name}</th>
              <td>{attribute.value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
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
