import Heart from "lucide-react/icons/heart";
import { moveToCart } from "../features/cart/add-to-cart";
import { ProductGrid } from "../features/catalog/product-grid";
import { ProductSkeletons } from "../features/catalog/product-skeletons";
import { useProducts } from "../features/catalog/use-products";
import { PageHead } from "../features/layout/page-head";
import { useWishlist } from "../features/wishlist/wishlist";
import { WishlistShare } from "../features/wishlist/wishlist-share";
import type { ProductCard } from "../lib/api.gen";
import type { PageOf } from "../lib/page";
import { pluralize } from "../lib/text";
import { productUrl } from "../lib/urls";
import { Button, ButtonLink } from "../ui/button";
import { EmptyState, LoadError } from "../ui/empty-state";
import styles from "./wishlist.module.css";

export default function WishlistPage(page: PageOf<"wishlist">) {
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead
        page={page}
        title={`Wishlist · ${page.shop.name}`}
        description={`What you would like to have from ${page.shop.name}.`}
      />
      <Wishes origin={page.origin} />
    </div>
  );
}

function Wishes({ origin }: { origin: string }) {
  const ids = useWishlist();
  const { products, failed, retry } = useProducts(ids);
  const nothing = ids?.length === 0 || products?.length === 0;
  const there = nothing ? [] : (products ?? []).filter(({ qtn }) => qtn > 0);
  return (
    <>
      <div className={styles.head}>
        <h1>Wishlist</h1>
        {!nothing && products && <p>{pluralize(products.length, "product", "products")}</p>}
        {there.length > 1 && (
          <Button onClick={() => moveToCart(there)}>{`Move all ${there.length} to cart`}</Button>
        )}
      </div>
      <p className={`without-js ${styles.without}`}>
        The wishlist needs JavaScript: your browser fills it in.
      </p>
      <div className={`with-js ${styles.list}`}>
        {nothing ? (
          <EmptyState
            icon={<Heart size={48} strokeWidth={1} aria-hidden />}
            title="Nothing wished for yet"
          >
            <p>A tap on the heart of a product keeps it here.</p>
            <ButtonLink href="/">Browse the products</ButtonLink>
          </EmptyState>
        ) : failed ? (
          <LoadError what="Your wishlist" retry={retry} />
        ) : products === null ? (
          <ProductSkeletons count={4} />
        ) : (
          <>
            <h2 className="visually-hidden">Products</h2>
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

function Move({ product }: { product: ProductCard }) {
  const { _id, name, qtn } = product;
  if (qtn === 0) {
    return (
      <ButtonLink quiet href={productUrl(_id)}>
        Let me know<span className="visually-hidden"> when {name} is back</span>
      </ButtonLink>
    );
  }
  return (
    <Button quiet onClick={() => moveToCart([product])}>
      Move to cart<span className="visually-hidden">: {name}</span>
    </Button>
  );
}
