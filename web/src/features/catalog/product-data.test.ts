import { expect, test } from "vitest";
import { pages } from "../../../test/fixtures";
import type { Variant } from "../../lib/api.gen";
import { productData } from "./product-data";

const { props, origin } = pages.product;
const PLACE = { origin, currency: "USD" };

test("a product with a choice is a group of variants", () => {
  const group = productData(props, PLACE);
  expect(group).toMatchObject({
    "@type": "ProductGroup",
    productGroupID: "headphones",
    url: "https://shop.example/product/headphones",
    variesBy: ["https://schema.org/color"],
    brand: { name: "Ghat" },
    aggregateRating: { reviewCount: 12 },
  });
  expect(group).not.toHaveProperty("offers");
  expect(group).toHaveProperty("hasVariant", [
    {
      "@type": "Product",
      name: "Over-ear headphones in ivory (Ivory)",
      sku: "GH-HP-Ivory",
      color: "Ivory",
      image: "https://shop.example/pictures/headphones_0.webp",
      inProductGroupWithID: "headphones",
      offers: {
        "@type": "Offer",
        url: "https://shop.example/product/headphones?colour=Ivory",
        price: "199.00",
        priceCurrency: "USD",
        availability: "https://schema.org/InStock",
        priceValidUntil: "2026-11-16",
      },
    },
    expect.objectContaining({
      offers: expect.objectContaining({ availability: "https://schema.org/OutOfStock" }),
    }),
  ]);
});

test("prices are plain amounts of the page's currency", () => {
  const [only] = props.variants as [Variant, Variant];
  const priced = (buyPrice: number, currency: string) =>
    productData({ ...props, variants: [{ ...only, buyPrice }] }, { origin, currency });
  const offer = (price: string, priceCurrency: string) => ({ offers: { price, priceCurrency } });
  expect(priced(23_980, "BDT")).toMatchObject(offer("23980.00", "BDT"));
  expect(priced(29_800, "JPY")).toMatchObject(offer("29800", "JPY"));
  expect(priced(61.2, "KWD")).toMatchObject(offer("61.200", "KWD"));
});

test("one variant is a product", () => {
  const only = (change: Partial<Variant>) => {
    const variants = props.variants.slice(0, 1).map((one) => ({ ...one, ...change }));
    return productData({ ...props, variants }, PLACE);
  };
  expect(only({})).toMatchObject({
    "@type": "Product",
    sku: "GH-HP-Ivory",
    offers: {
      url: "https://shop.example/product/headphones",
      availability: "https://schema.org/InStock",
    },
  });
  const later = only({ qtn: 0, backOrder: "2026-12-24T00:00:00Z" });
  expect(later).toHaveProperty("offers.availability", "https://schema.org/BackOrder");
});

test("an archived product is discontinued", () => {
  const product = { ...props.product, status: "archived" as const };
  const data = productData({ ...props, product, variants: [] }, PLACE);
  expect(data).toHaveProperty("offers.availability", "https://schema.org/Discontinued");
});

test("a barcode is given where it is a world-wide number", () => {
  const [first, second] = props.variants as [Variant, Variant];
  const variants = [
    { ...first, barcode: "4006381333931" },
    { ...second, barcode: "SHELF-7" },
  ];
  const data = productData({ ...props, variants }, PLACE);
  expect(data).toHaveProperty("hasVariant.0.gtin", "4006381333931");
  expect(data).not.toHaveProperty("hasVariant.1.gtin");
});
