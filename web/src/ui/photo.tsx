import styles from "./photo.module.css";

type Props = {
  src: string;
  alt: string;
  // The one that the visitor waits for, one in sight at the start, or one further down.
  loading: "first" | "eager" | "lazy";
  // Another angle, shown under the pointer.
  second?: string | undefined;
};

const SIDE = 800;

export function Photo({ src, alt, loading, second }: Props) {
  return (
    <div className={styles.photo}>
      <img
        src={src}
        alt={alt}
        width={SIDE}
        height={SIDE}
        decoding="async"
        loading={loading === "lazy" ? "lazy" : "eager"}
        fetchPriority={loading === "first" ? "high" : "auto"}
      />
      {second && <img src={second} alt="" width={SIDE} height={SIDE} loading="lazy" />}
    </div>
  );
}
