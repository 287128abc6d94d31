import ArrowUpRight from "lucide-react/icons/arrow-up-right";
import Eye from "lucide-react/icons/eye";
import ShoppingBag from "lucide-react/icons/shopping-bag";
import * as m from "messages/catalog";
import * as common from "messages/common";
import { type ReactNode, useState } from "react";
import type { HighlightSpan } from "../../lib/api.gen";
import { fieldLang } from "../../lib/language";
import { saving } from "../../lib/money";
import { type Card, openQuickView } from "../../lib/overlay";
import { useShop } from "../../lib/shop-context";
import { productUrl, variantUrl } from "../../lib/urls";
import { IconButton, IconLink } from "../../ui/icon-button";
import { type Loading, Picture } from "../../ui/picture";
import { Stars } from "../../ui/stars";
import { addToCart } from "../cart/add-to-cart";
import { obtainable } from "../cart/cart";
import { WishlistButton } from "../wishlist/wishlist-button";
import { Highlight } from "./highlight";
import { Price } from "./price";
import styles from "./product-card.module.css";
import { VariantOptions, variantName } from "./variant-options";

// With the parts of its name to highlight, in search results.
export type ListedProduct = Card & { nameParts?: HighlightSpan[] };

type Props = {
  product: ListedProduct;
  loading: Loading;
  // The `sizes` attribute of its picture.
  sizes: string;
  // The page's own action, below the rest.
  action?: ReactNode;
};

export function ProductCard({ product, loading, sizes, action }: Props) {
  const { name, options = {} } = product;
  const ofProduct = product.product ?? product._id;
  const address = variantUrl({ _id: product._id, product: ofProduct, options });
  const { currency } = useShop();
  const saved = saving(product.realPrice, product.buyPrice, currency);
  const [pointedAt, setPointedAt] = useState(false);
  return (
    <li
      className={styles.card}
      data-product={productUrl(ofProduct)}
      onPointerEnter={() => setPointedAt(true)}
    >
      <Picture
        picture={product.pictures[0]}
        second={pointedAt ? product.pictures[1] : undefined}
        name={name}
        sizes={sizes}
        widest={640}
        loading={loading}
      />
      {obtainable(product) === 0 ? (
        <p className={styles.gone}>{common.outOfStock()}</p>
      ) : (
        saved > 0 && <p className={styles.saving}>{m.save({ percent: saved })}</p>
      )}
      <p className={styles.brand}>{product.brand}</p>
      <h3 className={styles.name} lang={fieldLang(product, "name")}>
        <a href={address}>
          <Highlight name={name} parts={product.nameParts} />
        </a>
      </h3>
      <VariantOptions options={options} />
      <Price real={product.realPrice} buy={product.buyPrice} from={product.priceFrom} />
      {product.rating > 0 && <Stars rating={product.rating} />}
      <WishlistButton
        id={product._id}
        name={variantName(product)}
        floating
        className={styles.wish}
      />
      <div className={styles.actions}>
        <AddButton product={product} />
        <IconButton
          className="with-js"
          label={m.quickViewOf({ name })}
          floating
          aria-haspopup="dialog"
          onClick={() => openQuickView(product)}
        >
          <Eye size={18} strokeWidth={1.5} aria-hidden />
        </IconButton>
        <IconLink label={m.viewNamed({ name })} floating href={address}>
          <ArrowUpRight size={18} strokeWidth={1.5} aria-hidden />
        </IconLink>
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </li>
  );
}

// Where there is something to choose, the quick view asks for it.
function AddButton({ product }: { product: ListedProduct }) {
  const name = variantName(product);
  const gone = obtainable(product) === 0;
  const asks = product.variantCount > 1 && !gone;
  const label = asks ? m.chooseFor({ name }) : m.addNamed({ name });
  return (
    <IconButton
      className="with-js"
      label={gone ? m.outOfStockNamed({ name }) : label}
      floating
      disabled={gone}
      aria-haspopup={asks ? "dialog" : undefined}
      onClick={() => (asks ? openQuickView(product) : addToCart(product))}
    >
      <ShoppingBag size={18} strokeWidth={1.5} aria-hidden />
    </IconButton>
  );
}
