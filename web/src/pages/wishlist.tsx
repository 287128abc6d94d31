import Heart from "lucide-react/icons/heart";
import * as common from "messages/common";
import * as m from "messages/wishlist";
import { moveToCart } from "../features/cart/add-to-cart";
import { obtainable } from "../features/cart/cart";
import { ProductGrid } from "../features/catalog/product-grid";
import { ProductSkeletons } from "../features/catalog/product-skeletons";
import { useVariants } from "../features/catalog/use-products";
import { variantName } from "../features/catalog/variant-options";
import { PageHead } from "../features/layout/page-head";
import { useWishlist } from "../features/wishlist/wishlist";
import { WishlistShare } from "../features/wishlist/wishlist-share";
import { localUrl } from "../lib/language";
import type { Card } from "../lib/overlay";
import type { PageOf } from "../lib/page";
import { variantUrl } from "../lib/urls";
import { Button, ButtonLink } from "../ui/button";
import { EmptyState, LoadError } from "../ui/empty-state";
import { hidden } from "../ui/visually-hidden";
import styles from "./wishlist.module.css";

export default function WishlistPage(page: PageOf<"wishlist">) {
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead
        page={page}
        title={`${common.wishlist()} · ${page.shop.name}`}
        description={m.description({ shop: page.shop.name })}
      />
      <Wishes origin={page.origin} />
    </div>
  );
}

function Wishes({ origin }: { origin: string }) {
  const ids = useWishlist();
  const { products, failed, retry } = useVariants(ids);
  const nothing = ids?.length === 0 || products?.length === 0;
  const there = nothing ? [] : (products ?? []).filter((product) => obtainable(product) > 0);
  return (
    <>
      <div className={styles.head}>
        <h1>{common.wishlist()}</h1>
        {!nothing && products && <p>{common.productCount({ count: products.length })}</p>}
        {there.length > 1 && (
          <Button onClick={() => moveToCart(there)}>{m.moveAll({ count: there.length })}</Button>
        )}
      </div>
      <p className={`without-js ${styles.without}`}>{m.needsJavaScript()}</p>
      <div className={`with-js ${styles.list}`}>
        {nothing ? (
          <EmptyState icon={<Heart size={48} strokeWidth={1} aria-hidden />} title={m.nothingYet()}>
            <p>{m.tapHeart()}</p>
            <ButtonLink href={localUrl("/")}>{common.browseProducts()}</ButtonLink>
          </EmptyState>
        ) : failed ? (
          <LoadError title={m.notLoaded()} retry={retry} />
        ) : products === null ? (
          <ProductSkeletons count={4} />
        ) : (
          <>
            <h2 className="visually-hidden">{common.products()}</h2>
            <ProductGrid
              products={products}
              leads
              action={(product) => <Move product={product} />}
            />
          </>
        )}
        {ids && <WishlistShare origin={origin} empty={nothing} />}
      </div>
    </>
  );
}

function Move({ product }: { product: Card }) {
  const { _id, product: of = _id, options = {} } = product;
  const name = variantName(product);
  if (obtainable(product) === 0) {
    return (
      <ButtonLink quiet href={variantUrl({ _id, product: of, options })}>
        {m.letMeKnow({ name, hidden })}
      </ButtonLink>
    );
  }
  return (
    <Button quiet onClick={() => moveToCart([product])}>
      {m.move({ name, hidden })}
    </Button>
  );
}
