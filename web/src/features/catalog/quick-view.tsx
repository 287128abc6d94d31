import * as m from "messages/catalog";
import { useEffect, useState } from "react";
import { fetchJson } from "../../lib/api";
import type { Picture as PictureData, Product, ProductCard } from "../../lib/api.gen";
import { fieldLang } from "../../lib/language";
import { closeOverlay, closeOverlayForNavigation, returnsFocus } from "../../lib/overlay";
import { truncate } from "../../lib/text";
import { productUrl } from "../../lib/urls";
import { Dialog } from "../../ui/dialog";
import { LoadError } from "../../ui/empty-state";
import { NowrapHyphens } from "../../ui/nowrap-hyphens";
import { Picture } from "../../ui/picture";
import { Skeleton } from "../../ui/skeleton";
import { Stars } from "../../ui/stars";
import { BuyBox } from "./buy-box";
import { Price } from "./price";
import styles from "./quick-view.module.css";
import { Stock } from "./stock";

const SIZES = "(min-width: 48rem) 420px, 92vw";

// Shows what the card knows at once; the rest is loaded.
export default function QuickView({ open, card }: { open: boolean; card: ProductCard }) {
  const [product, setProduct] = useState<Product | null>(null);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    if (!open || failed) return;
    const request = new AbortController();
    fetchJson<Product>(`/api/products/${card._id}`, { signal: request.signal }).then(
      setProduct,
      () => {
        if (!request.signal.aborted) setFailed(true);
      },
    );
    return () => request.abort();
  }, [open, failed, card._id]);

  const shown = product ?? card;
  return (
    <Dialog open={open} onClose={closeOverlay} title={card.name} returnsFocus={returnsFocus}>
      <div className={styles.view}>
        <Pictures name={card.name} pictures={shown.pictures} />
        <div className={styles.words}>
          <p className={styles.brand}>{shown.brand}</p>
          <p className={styles.name} lang={fieldLang(shown, "name")} aria-hidden>
            <NowrapHyphens text={shown.name} />
          </p>
          {shown.rating > 0 && <Stars rating={shown.rating} />}
          <Price real={shown.realPrice} buy={shown.buyPrice} large />
          <Stock left={shown.qtn} />
          {failed && <LoadError title={m.descriptionNotLoaded()} retry={() => setFailed(false)} />}
          {!failed && product === null && <Skeleton height="6.5rem" />}
          {product && (
            <p className={styles.text}>
              {truncate(product.fullDescription.replace(/\s+/g, " "), 240)}
            </p>
          )}
          <BuyBox product={shown} />
          <a
            className={styles.more}
            href={productUrl(card._id)}
            onClick={closeOverlayForNavigation}
          >
            {m.viewProduct()}
          </a>
        </div>
      </div>
    </Dialog>
  );
}

function Pictures({ name, pictures }: { name: string; pictures: PictureData[] }) {
  const [at, setAt] = useState(0);
  return (
    <div className={styles.pictures}>
      <Picture picture={pictures[at]} name={name} sizes={SIZES} widest={640} loading="eager" />
      {pictures.length > 1 && (
        <ul className={styles.thumbs}>
          {pictures.map((picture, place) => (
            <li key={picture.src}>
              <button
                type="button"
                aria-label={m.pictureOf({ place: place + 1, count: pictures.length })}
                aria-pressed={place === at}
                onClick={() => setAt(place)}
              >
                <Picture
                  picture={{ ...picture, alt: "", placeholder: null }}
                  name=""
                  sizes="64px"
                  widest={160}
                  loading="eager"
                />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
