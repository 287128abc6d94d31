import type { CSSProperties } from "react";
import type { Picture as Data } from "../lib/api.gen";
import { isOurs, type Kind, oneOf, srcSet, widthsOf } from "../lib/pictures";
import styles from "./picture.module.css";

// The one that the visitor waits for, one in sight at the start, or one further down.
export type Loading = "first" | "eager" | "lazy";
type Widest = 160 | 640 | 1600;

type Props = {
  picture: Data | undefined;
  // What it is called where the catalogue does not say what is seen; empty where words beside the
  // picture say it already.
  name: string;
  // How wide it is shown, as the `sizes` attribute has it.
  sizes: string;
  // The widest that is worth offering: what is shown small needs no large file on any screen, and a
  // page with many pictures is rendered sooner.
  widest?: Widest;
  loading: Loading;
  // Another angle, shown under the pointer.
  second?: Data | undefined;
  // Shown whole, not cut to its frame.
  whole?: boolean;
};

export function Picture({ picture, name, second, whole = false, ...rest }: Props) {
  if (picture === undefined) return <div className={styles.frame} />;
  return (
    <div
      className={styles.frame}
      style={ground(picture, rest.loading)}
      data-blurred={blurred(picture, rest.loading) || undefined}
      data-whole={whole || undefined}
    >
      <Sources {...rest} picture={picture} alt={picture.alt || name} />
      {second && <Second {...rest} picture={second} />}
    </div>
  );
}

type SourcesProps = Pick<Props, "sizes" | "widest" | "loading"> & { picture: Data; alt: string };

function Sources({ picture, alt, sizes, widest = 1600, loading }: SourcesProps) {
  const manner = {
    decoding: "async",
    loading: loading === "lazy" ? "lazy" : "eager",
    fetchPriority: loading === "first" ? "high" : "auto",
    // first.js waits until it is seen.
    elementtiming: loading === "first" ? "first" : undefined,
  } as const;
  if (!isOurs(picture)) {
    return (
      <picture>
        <img {...manner} src={picture.src} alt={alt} />
      </picture>
    );
  }
  const { src, width, height } = picture;
  const widths = widthsOf(width, widest);
  const set = (kind: Kind) => srcSet(src, width, widths, kind);
  return (
    <picture>
      <source type="image/avif" srcSet={set("avif")} sizes={sizes} />
      <source type="image/webp" srcSet={set("webp")} sizes={sizes} />
      <img {...manner} width={width} height={height} src={oneOf(src, widths)} alt={alt} />
    </picture>
  );
}

// Most never see it, so it is said in few words.
function Second({ picture, sizes, widest = 1600 }: Omit<SourcesProps, "alt" | "loading">) {
  const { src, width } = picture;
  return (
    <picture>
      {isOurs(picture) && width !== null && (
        <source
          type="image/avif"
          srcSet={srcSet(src, width, widthsOf(width, widest), "avif")}
          sizes={sizes}
        />
      )}
      <img src={src} alt="" loading="lazy" />
    </picture>
  );
}

// What stands there until the picture comes. Further down the colour is enough: a page of fifty
// pictures would have fifty more to decode before it is seen.
function ground(picture: Data, loading: Loading): CSSProperties {
  const ground: Record<`--${string}`, string> = {};
  if (picture.colour !== null) ground["--ground"] = picture.colour;
  if (blurred(picture, loading)) ground["--placeholder"] = `url("${picture.placeholder}")`;
  return ground;
}

function blurred({ placeholder }: Data, loading: Loading): boolean {
  return placeholder !== null && loading !== "lazy";
}
