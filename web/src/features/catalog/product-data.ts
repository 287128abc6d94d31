// Structured data of a product for search engines (schema.org): a ProductGroup with its variants, or a
// Product where there is nothing to choose.
import type { Currency, Product, ProductProps, ReviewPage, Variant } from "../../lib/api.gen";
import { plain } from "../../lib/money";
import { productUrl } from "../../lib/urls";
import { absolute } from "../layout/page-head";
import { writer } from "../reviews/review-api";
import { choiceParams } from "./choice";
import { variantName } from "./variant-options";

type Data = Record<string, unknown>;

// The properties of schema.org that options are, by the option's name in addresses.
const PROPERTIES = new Map([
  ["colour", "color"],
  ["color", "color"],
  ["size", "size"],
  ["material", "material"],
  ["pattern", "pattern"],
]);

// A barcode that has a number of digits of the world-wide ones.
const GTIN = /^(\d{8}|\d{12,14})$/;

type Props = Pick<ProductProps, "product" | "variants" | "reviews">;
// The shop's public origin, and the currency of the prices.
type Place = { origin: string; currency: Currency };

export function productData({ product, variants, reviews }: Props, place: Place): Data {
  const [only] = variants;
  const { origin } = place;
  return {
    ...(variants.length > 1
      ? { "@type": "ProductGroup", ...groupData(product, variants, place) }
      : {
          "@type": "Product",
          sku: only?.sku ?? product.sku,
          offers: offer(product, only, place),
        }),
    name: product.name,
    description: product.fullDescription,
    image: product.img.map((img) => absolute(origin, img)),
    ...(product.brand && { brand: { "@type": "Brand", name: product.brand } }),
    ...reviewData(reviews),
  };
}

function groupData(product: Product, variants: Variant[], place: Place): Data {
  const properties = product.options.flatMap(({ param }) => PROPERTIES.get(param) ?? []);
  return {
    url: place.origin + productUrl(product._id),
    productGroupID: product._id,
    ...(properties.length > 0 && {
      variesBy: properties.map((property) => `https://schema.org/${property}`),
    }),
    hasVariant: variants.map((variant) => variantData(product, variant, place)),
  };
}

function variantData(product: Product, variant: Variant, place: Place): Data {
  const choice = product.options.map(({ name }) => variant.options[name] ?? "");
  const values = product.options.flatMap(({ param, name }) => {
    const property = PROPERTIES.get(param);
    return property === undefined ? [] : [[property, variant.options[name]]];
  });
  return {
    "@type": "Product",
    name: variantName({ name: product.name, options: variant.options }),
    sku: variant.sku,
    ...(GTIN.test(variant.barcode ?? "") && { gtin: variant.barcode }),
    ...Object.fromEntries(values),
    image: absolute(place.origin, variant.img),
    inProductGroupWithID: product._id,
    offers: offer(product, variant, place, choiceParams(product.options, choice)),
  };
}

function offer(
  product: Product,
  variant: Variant | undefined,
  { origin, currency }: Place,
  params: string[] = [],
): Data {
  const { buyPrice, realPrice, saleEnd } = variant ?? product;
  return {
    "@type": "Offer",
    url: origin + productUrl(product._id, params),
    price: plain(buyPrice, currency),
    priceCurrency: currency,
    availability: `https://schema.org/${availability(product, variant)}`,
    ...(buyPrice < realPrice && saleEnd && { priceValidUntil: saleEnd.slice(0, 10) }),
  };
}

function availability({ status, qtn }: Product, variant: Variant | undefined): string {
  if (status === "archived") return "Discontinued";
  if ((variant?.qtn ?? qtn) > 0) return "InStock";
  return variant?.backOrder ? "BackOrder" : "OutOfStock";
}

// Only customers' reviews.
function reviewData({ summary, reviews }: ReviewPage): Data {
  if (summary.count === 0) return {};
  return {
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
  };
}
