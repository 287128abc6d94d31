import * as catalog from "messages/catalog";
import * as common from "messages/common";
import * as m from "messages/search";
import type { Hit } from "../../../lib/api.gen";
import { fieldLang } from "../../../lib/language";
import { openQuickView } from "../../../lib/overlay";
import { productUrl } from "../../../lib/urls";
import { Button } from "../../../ui/button";
import { HydrationBoundary } from "../../../ui/hydration-boundary";
import { type Loading, Picture } from "../../../ui/picture";
import { Stars } from "../../../ui/stars";
import { hidden } from "../../../ui/visually-hidden";
import { addToCart } from "../../cart/add-to-cart";
import { obtainable } from "../../cart/cart";
import { Highlight } from "../../catalog/highlight";
import { Price } from "../../catalog/price";
import { Stock } from "../../catalog/stock";
import { WishlistButton } from "../../wishlist/wishlist-button";
import styles from "./product-rows.module.css";

const IN_SIGHT = 3;
const SIZES = "(min-width: 48rem) 224px, 30vw";

// The list view: products as rows, with a summary.
export function ProductRows({ products }: { products: Hit[] }) {
  return (
    <ul>
      <HydrationBoundary>
        {products.map((product, at) => (
          <Row
            key={product._id}
            product={product}
            loading={at >= IN_SIGHT ? "lazy" : at === 0 ? "first" : "eager"}
          />
        ))}
      </HydrationBoundary>
    </ul>
  );
}

function Row({ product, loading }: { product: Hit; loading: Loading }) {
  const { _id, name, qtn, rating } = product;
  return (
    <li className={styles.row} data-product={productUrl(_id)}>
      <Picture
        picture={product.pictures[0]}
        name={name}
        sizes={SIZES}
        widest={640}
        loading={loading}
      />
      <div className={styles.words}>
        <p className={styles.brand}>{product.brand}</p>
        <h3 className={styles.name} lang={fieldLang(product, "name")}>
          <a href={productUrl(_id)}>
            <Highlight name={name} parts={product.nameParts} />
          </a>
        </h3>
        {rating > 0 && <Stars rating={rating} />}
        <p className={styles.summary} lang={fieldLang(product, "fullDescription")}>
          {product.summary}
        </p>
      </div>
      <div className={styles.buying}>
        <Price real={product.realPrice} buy={product.buyPrice} from={product.priceFrom} />
        <Stock left={qtn} backOrder={product.backOrder} />
        <div className={styles.actions}>
          <AddButton product={product} />
          <WishlistButton id={_id} name={name} />
        </div>
      </div>
    </li>
  );
}

function AddButton({ product }: { product: Hit }) {
  const { name, variantCount } = product;
  const gone = obtainable(product) === 0;
  if (!gone && variantCount > 1) {
    return (
      <Button quiet aria-haspopup="dialog" onClick={() => openQuickView(product)}>
        {catalog.chooseOptions({ name, hidden })}
      </Button>
    );
  }
  return (
    <Button quiet disabled={gone} onClick={() => addToCart(product)}>
      {gone ? m.outOfStockNamed({ name, hidden }) : common.addThisToCart({ name, hidden })}
    </Button>
  );
}
