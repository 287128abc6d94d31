import ArrowUpRight from "lucide-react/icons/arrow-up-right";
import Eye from "lucide-react/icons/eye";
import ShoppingBag from "lucide-react/icons/shopping-bag";
import { type ReactNode, useState } from "react";
import type { ProductCard as Card, Part } from "../lib/api.gen";
import { buy } from "../lib/buying";
import { cents, saving } from "../lib/money";
import { openQuickView } from "../lib/overlay";
import { productUrl } from "../lib/urls";
import { IconButton, IconLink } from "../ui/icon-button";
import { type Loading, Picture } from "../ui/picture";
import { Stars } from "../ui/stars";
import { Marked } from "./marked";
import { Price } from "./price";
import styles from "./product-card.module.css";
import { WishButton } from "./wish-button";

// The parts of its name, where words were looked for.
export type Found = Card & { nameParts?: Part[] };

type Props = {
  product: Found;
  loading: Loading;
  // How wide its picture is shown.
  sizes: string;
  // What the page is for, below the rest.
  deed?: ReactNode;
};

export function ProductCard({ product, loading, sizes, deed }: Props) {
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
        <p className={styles.gone}>Out of stock</p>
      ) : (
        saved > 0 && <p className={styles.saving}>{`Save ${saved}%`}</p>
      )}
      <p className={styles.brand}>{product.brand}</p>
      <h3 className={styles.name}>
        <a href={productUrl(_id)}>
          <Marked name={name} parts={product.nameParts} />
        </a>
      </h3>
      <Price real={product.realPrice} buy={product.buyPrice} />
      {product.rating > 0 && <Stars rating={product.rating} />}
      <WishButton id={_id} name={name} floating className={styles.wish} />
      <div className={styles.actions}>
        <IconButton
          className="with-js"
          label={qtn === 0 ? `${name} is out of stock` : `Add ${name} to the cart`}
          floating
          disabled={qtn === 0}
          onClick={() => buy(product)}
        >
          <ShoppingBag size={18} strokeWidth={1.5} aria-hidden />
        </IconButton>
        <IconButton
          className="with-js"
          label={`Quick view of ${name}`}
          floating
          aria-haspopup="dialog"
          onClick={() => openQuickView(product)}
        >
          <Eye size={18} strokeWidth={1.5} aria-hidden />
        </IconButton>
        <IconLink label={`View ${name}`} floating href={productUrl(_id)}>
          <ArrowUpRight size={18} strokeWidth={1.5} aria-hidden />
        </IconLink>
      </div>
      {deed && <div className={styles.deed}>{deed}</div>}
    </li>
  );
}
