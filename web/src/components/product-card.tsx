import type { ProductCard as Card } from "../lib/api.gen";
import { cents, saving } from "../lib/money";
import { cardName } from "../lib/text";
import { productUrl } from "../lib/urls";
import { type Loading, Picture } from "../ui/picture";
import { Stars } from "../ui/stars";
import { Price } from "./price";
import styles from "./product-card.module.css";

type Props = {
  product: Card;
  loading: Loading;
  // How wide its picture is shown.
  sizes: string;
};

export function ProductCard({ product, loading, sizes }: Props) {
  const saved = saving(cents(product.realPrice), cents(product.buyPrice));
  return (
    <li className={styles.card}>
      <Picture
        picture={product.pictures[0]}
        second={product.pictures[1]}
        name={product.name}
        sizes={sizes}
        widest={640}
        loading={loading}
      />
      {product.qtn === 0 ? (
        <p className={styles.gone}>Out of stock</p>
      ) : (
        saved > 0 && <p className={styles.saving}>Save {saved}%</p>
      )}
      <p className={styles.brand}>{product.brand}</p>
      <h3 className={styles.name}>
        <a href={productUrl(product._id)}>{cardName(product.name)}</a>
      </h3>
      <Price real={product.realPrice} buy={product.buyPrice} />
      {product.rating > 0 && <Stars rating={product.rating} />}
    </li>
  );
}
