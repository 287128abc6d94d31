import type { CSSProperties } from "react";
import styles from "./skeleton.module.css";

// The place of something that is on its way, in its final size. Says nothing to a screen reader.
export function Skeleton({ width = "100%", height }: { width?: string; height: string }) {
  return (
    <span className={styles.skeleton} style={{ width, height } as CSSProperties} aria-hidden />
  );
}

// A square picture's place.
export function PhotoSkeleton() {
  return <span className={styles.photo} aria-hidden />;
}
