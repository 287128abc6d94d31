import * as common from "messages/common";
import * as m from "messages/wishlist";
import { addToCart } from "../features/cart/add-to-cart";
import { obtainable } from "../features/cart/cart";
import { ProductGrid } from "../features/catalog/product-grid";
import { variantName } from "../features/catalog/variant-options";
import { PageHead } from "../features/layout/page-head";
import { localUrl } from "../lib/language";
import type { Card } from "../lib/overlay";
import type { PageOf } from "../lib/page";
import { variantUrl } from "../lib/urls";
import { Button, ButtonLink } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { hidden } from "../ui/visually-hidden";
import styles from "./wishlist.module.css";

export default function SharedWishlistPage(page: PageOf<"shared-wishlist">) {
  const { name, products } = page.props;
  const title = name === "" ? m.somebodys() : m.namedTitle({ name });
  const shop = page.shop.name;
  const description =
    name === "" ? m.somebodysDescription({ shop }) : m.namedDescription({ name, shop });
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead page={page} title={`${title} · ${shop}`} description={description} />
      <div className={styles.head}>
        <h1>{title}</h1>
        <p>{description}</p>
      </div>
      {products.length === 0 ? (
        <EmptyState title={m.nothingNow()}>
          <ButtonLink href={localUrl("/")}>{common.browseProducts()}</ButtonLink>
        </EmptyState>
      ) : (
        <>
          <h2 className="visually-hidden">{common.products()}</h2>
          <ProductGrid products={products} leads action={(product) => <Buy product={product} />} />
        </>
      )}
    </div>
  );
}

function Buy({ product }: { product: Card }) {
  const { _id, product: of = _id, options = {} } = product;
  const name = variantName(product);
  if (obtainable(product) === 0) {
    return (
      <ButtonLink quiet href={variantUrl({ _id, product: of, options })}>
        {m.seeIt({ name, hidden })}
      </ButtonLink>
    );
  }
  return (
    <span className={`with-js ${styles.buy}`}>
      <Button quiet onClick={() => addToCart(product)}>
        {common.addThisToCart({ name, hidden })}
      </Button>
    </span>
  );
}
