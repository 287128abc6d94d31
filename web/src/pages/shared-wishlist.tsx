import { addToCart } from "../features/cart/add-to-cart";
import { ProductGrid } from "../features/catalog/product-grid";
import { PageHead } from "../features/layout/page-head";
import type { PageOf } from "../lib/page";
import { productUrl } from "../lib/urls";
import { Button, ButtonLink } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import styles from "./wishlist.module.css";

export default function SharedWishlistPage(page: PageOf<"shared-wishlist">) {
  const { name, products } = page.props;
  const title = name === "" ? "A wishlist" : `${name}’s wishlist`;
  const description = `What ${name || "somebody"} would like to have from ${page.shop.name}.`;
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead page={page} title={`${title} · ${page.shop.name}`} description={description} />
      <div className={styles.head}>
        <h1>{title}</h1>
        <p>{description}</p>
      </div>
      {products.length === 0 ? (
        <EmptyState title="Nothing is wished for at the moment">
          <ButtonLink href="/">Browse the products</ButtonLink>
        </EmptyState>
      ) : (
        <>
          <h2 className="visually-hidden">Products</h2>
          <ProductGrid
            products={products}
            leads
            action={(product) =>
              product.qtn > 0 ? (
                <span className={`with-js ${styles.buy}`}>
                  <Button quiet onClick={() => addToCart(product)}>
                    Add to cart<span className="visually-hidden">: {product.name}</span>
                  </Button>
                </span>
              ) : (
                <ButtonLink quiet href={productUrl(product._id)}>
                  See it<span className="visually-hidden">: {product.name}</span>
                </ButtonLink>
              )
            }
          />
        </>
      )}
    </div>
  );
}
