import type { CSSProperties } from "react";
import type { Picture as PictureData } from "../lib/api.gen";
import styles from "./picture.module.css";
import { fallbackSrc, isOurs, type Kind, srcSet, widthsOf } from "./picture-sources";

// `first` is the largest picture in view, `eager` is in view at the start, `lazy` further down.
export type Loading = "first" | "eager" | "lazy";
type Widest = 160 | 640 | 1600;

type Props = {
  picture: PictureData | undefined;
  // The alt text where the catalogue has none; empty where the text beside it says the same.
  name: string;
  // The `sizes` attribute.
  sizes: string;
  // The largest width to offer: a small picture needs no large file on any screen, and fewer widths
  // render faster.
  widest?: Widest;
  loading: Loading;
  // Another picture, shown on hover.
  second?: PictureData | undefined;
  // Fits the picture into the frame instead of cropping it.
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

type SourcesProps = Pick<Props, "sizes" | "widest" | "loading"> & {
  picture: PictureData;
  alt: string;
};

function Sources({ picture, alt, sizes, widest = 1600, loading }: SourcesProps) {
  const attributes = {
    decoding: "async",
    loading: loading === "lazy" ? "lazy" : "eager",
    fetchPriority: loading === "first" ? "high" : "auto",
    // bootstrap.js waits until this one is painted.
    elementtiming: loading === "first" ? "first" : undefined,
  } as const;
  if (!isOurs(picture)) {
    return (
      <picture>
        <img {...attributes} src={picture.src} alt={alt} />
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
      <img {...attributes} width={width} height={height} src={fallbackSrc(src, widths)} alt={alt} />
    </picture>
  );
}

// Few visitors see it, so it has one format and no placeholder.
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

// The placeholder. Lazy pictures have only a colour: fifty blurred placeholders would have to be
// decoded before the first paint.
function ground(picture: PictureData, loading: Loading): CSSProperties {
  const ground: Record<`--${string}`, string> = {};
  if (picture.colour !== null) ground["--ground"] = picture.colour;
  if (blurred(picture, loading)) ground["--placeholder"] = `url("${picture.placeholder}")`;
  return ground;
}

function blurred({ placeholder }: PictureData, loading: Loading): boolean {
  return placeholder !== null && loading !== "lazy";
}
