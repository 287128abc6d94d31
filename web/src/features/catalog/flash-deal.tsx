import ArrowRight from "lucide-react/icons/arrow-right";
import * as m from "messages/catalog";
import type { ProductCard as ProductCardData, Words } from "../../lib/api.gen";
import { offersUrl } from "../../lib/urls";
import { HydrationBoundary } from "../../ui/hydration-boundary";
import styles from "./flash-deal.module.css";
import { Countdown } from "./internal/countdown";
import { ProductCard } from "./product-card";

type Props = { words: Words; products: ProductCardData[]; ends: string | null; now: string };

export function FlashDeal({ words, products, ends, now }: Props) {
  return (
    <section className="wrap later" aria-labelledby="flash-title">
      <div className={styles.panel}>
        <div className={styles.about}>
          <h2 id="flash-title">{words.title}</h2>
          {ends && (
            <>
              <p className={styles.soon}>{m.endingSoon()}</p>
              <Countdown ends={ends} now={now} />
            </>
          )}
          <a className={styles.more} href={offersUrl()}>
            {words.more}
            <ArrowRight size={18} strokeWidth={1.5} aria-hidden />
          </a>
        </div>
        <ul className={styles.products} id="flash">
          <HydrationBoundary>
            {products.map((product) => (
              <ProductCard
                key={product._id}
                product={product}
                sizes="(min-width: 64rem) 224px, 176px"
                loading="lazy"
              />
            ))}
          </HydrationBoundary>
        </ul>
      </div>
    </section>
  );
}
