import { PageHead } from "../components/page-head";
import { ProductGrid } from "../components/product-grid";
import { buy } from "../lib/buying";
import type { PageOf } from "../lib/page";
import { productUrl } from "../lib/urls";
import { Button, ButtonLink } from "../ui/button";
import { Empty } from "../ui/empty";
import styles from "./wishlist.module.css";

export default function SharedWishlistPage(page: PageOf<"sharedWishlist">) {
  const { name, products } = page.props;
  const title = name === "" ? "A wishlist" : `${name}’s wishlist`;
  const words = `What ${name || "somebody"} would like to have from ${page.shop.name}.`;
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead page={page} title={`${title} · ${page.shop.name}`} description={words} />
      <div className={styles.head}>
        <h1>{title}</h1>
        <p>{words}</p>
      </div>
      {products.length === 0 ? (
        <Empty title="Nothing is wished for at the moment">
          <ButtonLink href="/">Browse the products</ButtonLink>
        </Empty>
      ) : (
        <>
          <h2 className="visually-hidden">Products</h2>
          <ProductGrid
            products={products}
            leads
            deed={(product) =>
              product.qtn > 0 ? (
                <span className={`with-js ${styles.buy}`}>
                  <Button quiet onClick={() => buy(product)}>
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
