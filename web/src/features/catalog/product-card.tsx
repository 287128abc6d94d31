import ArrowUpRight from "lucide-react/icons/arrow-up-right";
import Eye from "lucide-react/icons/eye";
import ShoppingBag from "lucide-react/icons/shopping-bag";
import * as m from "messages/catalog";
import * as common from "messages/common";
import { type ReactNode, useState } from "react";
import type { HighlightSpan, ProductCard as ProductCardData } from "../../lib/api.gen";
import { fieldLang } from "../../lib/language";
import { cents, saving } from "../../lib/money";
import { openQuickView } from "../../lib/overlay";
import { productUrl } from "../../lib/urls";
import { IconButton, IconLink } from "../../ui/icon-button";
import { type Loading, Picture } from "../../ui/picture";
import { Stars } from "../../ui/stars";
import { addToCart } from "../cart/add-to-cart";
import { WishlistButton } from "../wishlist/wishlist-button";
import { Highlight } from "./highlight";
import { Price } from "./price";
import styles from "./product-card.module.css";

// With the parts of its name to highlight, in search results.
export type ListedProduct = ProductCardData & { nameParts?: HighlightSpan[] };

type Props = {
  product: ListedProduct;
  loading: Loading;
  // The `sizes` attribute of its picture.
  sizes: string;
  // The page's own action, below the rest.
  action?: ReactNode;
};

export function ProductCard({ product, loading, sizes, action }: Props) {
  const { _id, name, qtn } = product;
  const saved = saving(cents(product.realPrice), cents(product.buyPrice));
  const [pointedAt, setPointedAt] = useState(false);
  return (
    <li
      className={styles.card}
      data-product={productUrl(_id)}
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
      {qtn === 0 ? (
        <p className={styles.gone}>{common.outOfStock()}</p>
      ) : (
        saved > 0 && <p className={styles.saving}>{m.save({ percent: saved })}</p>
      )}
      <p className={styles.brand}>{product.brand}</p>
      <h3 className={styles.name} lang={fieldLang(product, "name")}>
        <a href={productUrl(_id)}>
          <Highlight name={name} parts={product.nameParts} />
        </a>
      </h3>
      <Price real={product.realPrice} buy={product.buyPrice} />
      {product.rating > 0 && <Stars rating={product.rating} />}
      <WishlistButton id={_id} name={name} floating className={styles.wish} />
      <div className={styles.actions}>
        <IconButton
          className="with-js"
          label={qtn === 0 ? m.outOfStockNamed({ name }) : m.addNamed({ name })}
          floating
          disabled={qtn === 0}
          onClick={() => addToCart(product)}
        >
          <ShoppingBag size={18} strokeWidth={1.5} aria-hidden />
        </IconButton>
        <IconButton
          className="with-js"
          label={m.quickViewOf({ name })}
          floating
          aria-haspopup="dialog"
          onClick={() => openQuickView(product)}
        >
          <Eye size={18} strokeWidth={1.5} aria-hidden />
        </IconButton>
        <IconLink label={m.viewNamed({ name })} floating href={productUrl(_id)}>
          <ArrowUpRight size={18} strokeWidth={1.5} aria-hidden />
        </IconLink>
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </li>
  );
}
