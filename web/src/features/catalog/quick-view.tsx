import * as m from "messages/catalog";
import { useCallback, useState } from "react";
import { fetchJson, fetchJsonWithHeaders } from "../../lib/api";
import type { Picture as PictureData, ProductWithVariants, Variant } from "../../lib/api.gen";
import { fieldLang } from "../../lib/language";
import {
  type Card,
  closeOverlay,
  closeOverlayForNavigation,
  returnsFocus,
} from "../../lib/overlay";
import { truncate } from "../../lib/text";
import { productUrl } from "../../lib/urls";
import { useAsync } from "../../lib/use-async";
import { Dialog } from "../../ui/dialog";
import { LoadError } from "../../ui/empty-state";
import { NowrapHyphens } from "../../ui/nowrap-hyphens";
import { Picture } from "../../ui/picture";
import { Skeleton } from "../../ui/skeleton";
import { Stars } from "../../ui/stars";
import { obtainable } from "../cart/cart";
import { BuyBox } from "./buy-box";
import {
  type Choice,
  choiceParams,
  findVariant,
  firstChoice,
  itemOf,
  pictureOfChoice,
} from "./choice";
import { OptionChooser } from "./option-chooser";
import { Price } from "./price";
import styles from "./quick-view.module.css";
import { Stock } from "./stock";

const SIZES = "(min-width: 48rem) 420px, 92vw";

type Props = { open: boolean; card: Card };

// Shows what the card knows at once; the rest is loaded.
export default function QuickView({ open, card }: Props) {
  return (
    <Dialog open={open} onClose={closeOverlay} title={card.name} returnsFocus={returnsFocus}>
      <View card={card} />
    </Dialog>
  );
}

// Mounted while the dialog is open, so that stock and prices are those of now.
function View({ card }: { card: Card }) {
  const id = card.product ?? card._id;
  const load = useCallback(() => loadProduct(id), [id]);
  const { value: product, failed, retry } = useAsync(load);
  // Null: as it is first shown.
  const [chosen, setChosen] = useState<Choice | null>(null);
  const [picture, setPicture] = useState<number | null>(null);
  const choice = chosen ?? (product === null ? [] : choiceOf(product, card));
  const variant = product && findVariant(product.options, product.variants, choice);
  const shown = product ?? card;
  const params = chosen === null || product === null ? [] : choiceParams(product.options, chosen);
  const own = product ? pictureOfChoice(product, variant, choice) : 0;

  function choose(next: Choice) {
    setChosen(next);
    setPicture(null);
  }

  return (
    <div className={styles.view}>
      <Pictures
        name={card.name}
        pictures={shown.pictures}
        at={picture ?? Math.max(own, 0)}
        onShow={setPicture}
      />
      <div className={styles.words}>
        <p className={styles.brand}>{shown.brand}</p>
        <p className={styles.name} lang={fieldLang(shown, "name")} aria-hidden>
          <NowrapHyphens text={shown.name} />
        </p>
        {shown.rating > 0 && <Stars rating={shown.rating} />}
        <div className={styles.offer} aria-live="polite">
          {product ? <Offer product={product} variant={variant} /> : <CardOffer card={card} />}
        </div>
        {product && <Options product={product} choice={choice} onChoose={choose} />}
        {!failed && product === null && card.variantCount > 1 && <Skeleton height="7rem" />}
        <Buy card={card} product={product} variant={variant} loading={!failed} />
        {failed && <LoadError title={m.descriptionNotLoaded()} retry={retry} />}
        {!failed && product === null && <Skeleton height="6.5rem" />}
        {product && (
          <p className={styles.text} lang={fieldLang(product, "fullDescription")}>
            {truncate(product.fullDescription.replace(/\s+/g, " "), 240)}
          </p>
        )}
        <a
          className={styles.more}
          href={productUrl(id, params)}
          onClick={closeOverlayForNavigation}
        >
          {m.viewProduct()}
        </a>
      </div>
    </div>
  );
}

// Of the variant that the card is of, or as a product is first shown.
function choiceOf({ options, variants }: ProductWithVariants, card: Card): Choice {
  const own = card.options === undefined ? [] : variants.filter(({ _id }) => _id === card._id);
  return firstChoice(options, own.length > 0 ? own : variants);
}

const AT_ONCE = 100;

// With all its variants.
async function loadProduct(id: string): Promise<ProductWithVariants> {
  const address = `/api/products/${encodeURIComponent(id)}`;
  const product = await fetchJson<ProductWithVariants>(address);
  const variants = [...product.variants];
  for (let cursor = product.variantsNext; cursor !== null; ) {
    const query = `limit=${AT_ONCE}&cursor=${encodeURIComponent(cursor)}`;
    const next = await fetchJsonWithHeaders<Variant[]>(`${address}/variants?${query}`);
    variants.push(...next.body);
    cursor = next.headers.get("x-next-cursor");
  }
  return { ...product, variants, variantsNext: null };
}

type Loaded = { product: ProductWithVariants };

function Options({
  product,
  choice,
  onChoose,
}: Loaded & { choice: Choice; onChoose: (choice: Choice) => void }) {
  const { options, variants } = product;
  if (options.length === 0) return null;
  return (
    <OptionChooser
      product={product}
      known={{ options, variants, allVariants: true, around: choice }}
      choice={choice}
      urlOf={(choice) => productUrl(product._id, choiceParams(options, choice))}
      onChoose={onChoose}
    />
  );
}

function CardOffer({ card }: { card: Card }) {
  return (
    <>
      <Price real={card.realPrice} buy={card.buyPrice} from={card.priceFrom} large />
      <Stock left={card.qtn} backOrder={card.backOrder} />
    </>
  );
}

function Offer({ product, variant }: Loaded & { variant: Variant | null }) {
  if (itemOf(product, variant) === null) {
    return (
      <>
        <Price real={product.realPrice} buy={product.buyPrice} from={product.priceFrom} large />
        <p className={styles.missing}>{m.noSuchVariant()}</p>
      </>
    );
  }
  const { realPrice, buyPrice, qtn } = variant ?? product;
  return (
    <>
      <Price real={realPrice} buy={buyPrice} large />
      <Stock left={qtn} backOrder={variant?.backOrder ?? null} />
    </>
  );
}

type BuyProps = {
  card: Card;
  product: ProductWithVariants | null;
  variant: Variant | null;
  loading: boolean;
};

// A product without a choice can be added before the rest of it is loaded.
function Buy({ card, product, variant, loading }: BuyProps) {
  if (product !== null) return <BuyBox item={itemOf(product, variant)} />;
  if (card.variantCount > 1 && obtainable(card) > 0)
    return <BuyBox item={null} loading={loading} />;
  return <BuyBox item={card} />;
}

type PicturesProps = {
  name: string;
  pictures: PictureData[];
  at: number;
  onShow: (at: number) => void;
};

function Pictures({ name, pictures, at, onShow }: PicturesProps) {
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
                onClick={() => onShow(place)}
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
