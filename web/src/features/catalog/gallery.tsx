// The product gallery: a strip of pictures to swipe, thumbnails, and colours that lead to their
// pictures. All are links to anchors in the strip, so they work without JavaScript; with it the URL
// does not change.
import * as m from "messages/catalog";
import { type MouseEvent, type RefObject, useRef, useState } from "react";
import type { Product } from "../../lib/api.gen";
import { fieldLang } from "../../lib/language";
import { placeInView, scrollToPlace } from "../../lib/strip";
import { productUrl } from "../../lib/urls";
import { Picture } from "../../ui/picture";
import { indexOfColour } from "../../ui/picture-sources";
import styles from "./gallery.module.css";

const SIZES = "(min-width: 86rem) 709px, (min-width: 48rem) 52vw, 92vw";

type State = {
  product: Product;
  // The index of the picture in view.
  at: number;
  strip: RefObject<HTMLUListElement | null>;
  show: (at: number) => (event: MouseEvent) => void;
  onScroll: () => void;
};

export function useGallery(product: Product): State {
  const [at, setAt] = useState(0);
  const strip = useRef<HTMLUListElement>(null);
  return {
    product,
    at,
    strip,
    show: (at) => (event) => {
      if (strip.current === null) return;
      event.preventDefault();
      scrollToPlace(strip.current, at);
      setAt(at);
    },
    onScroll: () => {
      if (strip.current) setAt(placeInView(strip.current));
    },
  };
}

const anchor = (at: number) => `picture-${at + 1}`;

export function Gallery({ product, at, strip, show, onScroll }: State) {
  const { name, pictures } = product;
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

export function Colours({ product, at, show }: State) {
  const { colours, pictures } = product;
  const seen = pictures[at]?.inColour ?? colours[0];
  return (
    <div className={styles.colours}>
      <p>
        {m.colours({
          count: colours.length,
          colour: seen ?? "",
          strong: (text) => <strong>{text}</strong>,
        })}
      </p>
      {colours.length > 1 && (
        <ul lang={fieldLang(product, "colours")}>
          {colours.map((colour) => (
            <li key={colour}>
              <Colour
                colour={colour}
                place={indexOfColour(pictures, colours, colour)}
                seen={colour === seen}
                product={product}
                show={show}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type ColourProps = Pick<State, "product" | "show"> & {
  colour: string;
  place: number;
  seen: boolean;
};

function Colour({ colour, place, seen, product, show }: ColourProps) {
  const picture = product.pictures[place];
  if (picture === undefined) return <span className={styles.unseen}>{colour}</span>;
  return (
    <a href={`#${anchor(place)}`} onClick={show(place)} aria-current={seen || undefined}>
      <Picture
        picture={{ ...picture, alt: "", placeholder: null }}
        name=""
        sizes="56px"
        widest={160}
        loading="eager"
      />
      {colour}
    </a>
  );
}
