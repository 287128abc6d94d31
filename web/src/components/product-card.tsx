import type { ProductCard as Card } from "../lib/api.gen";
import { cents, saving } from "../lib/money";
import { cardName } from "../lib/text";
import { productUrl } from "../lib/urls";
import { Photo } from "../ui/photo";
import { Stars } from "../ui/stars";
import { Price } from "./price";
import styles from "./product-card.module.css";

type Props = { product: Card; loading: "first" | "eager" | "lazy" };

export function ProductCard({ product, loading }: Props) {
  const saved = saving(cents(product.realPrice), cents(product.buyPrice));
  return (
    <li className={styles.card}>
      <Photo
        src={product.img[0] ?? ""}
        second={product.img[1]}
        alt={product.name}
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
