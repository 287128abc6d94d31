// The product gallery: a strip of pictures to swipe, and thumbnails that lead to them. Those are links to
// anchors in the strip, so they work without JavaScript; with it the URL does not change.
import * as m from "messages/catalog";
import { type MouseEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { Picture as PictureData, Product } from "../../lib/api.gen";
import { placeInView, scrollToPlace } from "../../lib/strip";
import { productUrl } from "../../lib/urls";
import { Picture } from "../../ui/picture";
import styles from "./gallery.module.css";

const SIZES = "(min-width: 86rem) 709px, (min-width: 48rem) 52vw, 92vw";

type State = {
  product: Product;
  // In the order of the strip.
  pictures: PictureData[];
  // The place of the picture in view.
  at: number;
  strip: RefObject<HTMLUListElement | null>;
  show: (at: number) => (event: MouseEvent) => void;
  // Scrolls to one of the product's pictures.
  reveal: (index: number) => void;
  onScroll: () => void;
};

// `chosen` is the index of the picture that shows the chosen variant, or -1. The first one chosen leads
// the strip, so that it is in view without JavaScript; to later ones the strip scrolls.
export function useGallery(product: Product, chosen: number): State {
  const [lead] = useState(Math.max(chosen, 0));
  const [at, setAt] = useState(0);
  const strip = useRef<HTMLUListElement>(null);
  const revealed = useRef(chosen);

  function reveal(index: number) {
    revealed.current = index;
    if (strip.current === null || index < 0) return;
    const place = placeOf(index, lead);
    scrollToPlace(strip.current, place);
    setAt(place);
  }

  // The choice has also changed where the page was loaded again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another is chosen.
  useEffect(() => {
    if (chosen !== revealed.current) reveal(chosen);
  }, [chosen]);

  return {
    product,
    pictures: leadWith(product.pictures, lead),
    at,
    strip,
    show: (at) => (event) => {
      if (strip.current === null) return;
      event.preventDefault();
      scrollToPlace(strip.current, at);
      setAt(at);
    },
    reveal,
    onScroll: () => {
      if (strip.current) setAt(placeInView(strip.current));
    },
  };
}

function leadWith<T>(all: T[], lead: number): T[] {
  return [...all.slice(lead, lead + 1), ...all.slice(0, lead), ...all.slice(lead + 1)];
}

// The place in the strip of one of the product's pictures.
function placeOf(index: number, lead: number): number {
  if (index === lead) return 0;
  return index < lead ? index + 1 : index;
}

const anchor = (at: number) => `picture-${at + 1}`;

export function Gallery({ product, pictures, at, strip, show, onScroll }: State) {
  const { name } = product;
  return (
    <div className={styles.gallery}>
      <ul
        className={styles.strip}
        ref={strip}
        onScroll={onScroll}
        aria-label={m.pictures()}
        // A scroll container must be focusable, to scroll by keyboard.
        tabIndex={pictures.length > 1 ? 0 : undefined}
      >
        {pictures.map((picture, place) => (
          <li
            key={picture.src}
            id={anchor(place)}
            data-product={place === 0 ? productUrl(product._id) : undefined}
          >
            <Picture
              picture={picture}
              name={name}
              sizes={SIZES}
              loading={place === 0 ? "first" : "lazy"}
              whole
            />
          </li>
        ))}
      </ul>
      {pictures.length > 1 && (
        <ul className={styles.small}>
          {pictures.map((picture, place) => (
            <li key={picture.src}>
              <a
                href={`#${anchor(place)}`}
                onClick={show(place)}
                aria-label={m.pictureNamed({ place: place + 1, name: picture.alt || name })}
                aria-current={place === at || undefined}
              >
                <Picture
                  picture={{ ...picture, alt: "", placeholder: null }}
                  name=""
                  sizes="80px"
                  widest={160}
                  loading="lazy"
                />
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
