import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import * as m from "messages/content";
import {
  type CSSProperties,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import type { HomeSlide, Picture as PictureData } from "../../lib/api.gen";
import { digits } from "../../lib/numbers";
import { placeInView, scrollToPlace } from "../../lib/strip";
import { contentUrl } from "../../lib/urls";
import { ButtonLink } from "../../ui/button";
import { IconButton } from "../../ui/icon-button";
import { Picture } from "../../ui/picture";
import { Price } from "../catalog/price";
import styles from "./slider.module.css";

type Props = {
  label: string;
  slides: HomeSlide[];
  // Their language, where it is not the page's.
  lang?: string | undefined;
  // The heading level of the first title.
  heading?: "h1" | "h2";
};

const EACH = 6_000;
// The aspect ratio from which the text lies on the picture.
const WIDE = 1.6;

// A carousel with scroll snap: moved by swiping, buttons and arrow keys, and by a timer while
// nobody uses it. The timer is off where reduced motion is preferred.
export function Slider({ label, slides, lang, heading = "h2" }: Props) {
  const row = useRef<HTMLUListElement>(null);
  const [at, setAt] = useState(0);
  const [paused, setPaused] = useState(false);
  const [busy, setBusy] = useState(false);
  const runs = !paused && !busy && slides.length > 1;

  function show(next: number) {
    const list = row.current;
    const place = (next + slides.length) % slides.length;
    if (list) scrollToPlace(list, place, motion());
  }

  const showNext = useEffectEvent(() => show(at + 1));
  useEffect(() => {
    if (!runs || motion() === "instant") return;
    const timer = setInterval(() => document.hidden || showNext(), EACH);
    return () => clearInterval(timer);
  }, [runs]);

  function onKey(event: KeyboardEvent) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(at + step);
  }

  return (
    <section
      className={styles.slider}
      aria-roledescription={m.carousel()}
      aria-label={label}
      onKeyDown={onKey}
      onPointerEnter={() => setBusy(true)}
      onPointerLeave={() => setBusy(false)}
      onFocus={() => setBusy(true)}
      onBlur={() => setBusy(false)}
    >
      <ul
        ref={row}
        className={styles.row}
        onScroll={({ currentTarget }) => setAt(placeInView(currentTarget))}
      >
        {slides.map((slide, place) => (
          <Slide
            key={slide.title}
            slide={slide}
            lang={lang}
            place={m.slideOf({ place: place + 1, count: slides.length })}
            first={place === 0}
            heading={place === 0 ? heading : "h2"}
          />
        ))}
      </ul>
      {slides.length > 1 && (
        <div className={`with-js on-photograph wrap ${styles.controls}`}>
          <div className={styles.pill}>
            <IconButton label={m.previousSlide()} onClick={() => show(at - 1)}>
              <ChevronLeft size={20} strokeWidth={1.5} aria-hidden />
            </IconButton>
            <p className={styles.place}>
              {digits(at + 1)} / {digits(slides.length)}
            </p>
            <IconButton label={m.nextSlide()} onClick={() => show(at + 1)}>
              <ChevronRight size={20} strokeWidth={1.5} aria-hidden />
            </IconButton>
            <IconButton
              label={paused ? m.startSlides() : m.stopSlides()}
              onClick={() => setPaused(!paused)}
            >
              {paused ? (
                <Play size={18} strokeWidth={1.5} aria-hidden />
              ) : (
                <Pause size={18} strokeWidth={1.5} aria-hidden />
              )}
            </IconButton>
          </div>
        </div>
      )}
    </section>
  );
}

type SlideProps = Pick<Props, "lang"> & {
  slide: HomeSlide;
  place: string;
  first: boolean;
  heading: "h1" | "h2";
};

function Slide({ slide, lang, place, first, heading: Heading }: SlideProps) {
  const { eyebrow, title, text, link, linkText, picture, price, focus } = slide;
  const narrow = isNarrow(picture);
  return (
    <li
      className={styles.slide}
      data-narrow={narrow || undefined}
      style={
        focus === null ? undefined : ({ "--focus": `${focus[0]}% ${focus[1]}%` } as CSSProperties)
      }
      aria-roledescription={m.slide()}
      aria-label={place}
    >
      <Picture
        picture={picture ?? undefined}
        name=""
        sizes={narrow ? "(min-width: 48rem) 52vw, 100vw" : "100vw"}
        loading={first ? "first" : "lazy"}
      />
      <div className={`${narrow ? "" : "on-photograph "}wrap ${styles.scene}`}>
        <div className={styles.words}>
          <p className={styles.eyebrow} lang={lang}>
            {eyebrow}
          </p>
          <Heading className={styles.title} lang={lang}>
            {title}
          </Heading>
          <p className={styles.text} lang={lang}>
            {text}
          </p>
          <div className={styles.offer}>
            <ButtonLink href={contentUrl(link)} lang={lang}>
              {linkText}
            </ButtonLink>
            {price && <Price real={price.realPrice} buy={price.buyPrice} />}
          </div>
        </div>
      </div>
    </li>
  );
}

// A wide picture has room for the text on its left side; any other is placed beside it.
function isNarrow(picture: PictureData | null): boolean {
  const { width = null, height = null } = picture ?? {};
  return width === null || height === null || width / height < WIDE;
}

function motion(): "smooth" | "instant" {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}
