import type { CSSProperties } from "react";
import styles from "./skeleton.module.css";

// A placeholder in the final size of what is loading. Hidden from screen readers.
export function Skeleton({ width = "100%", height }: { width?: string; height: string }) {
  return (
    <span className={styles.skeleton} style={{ width, height } as CSSProperties} aria-hidden />
  );
}

// A square picture's placeholder.
export function PhotoSkeleton() {
  return <span className={styles.photo} aria-hidden />;
}
