import { PhotoSkeleton, Skeleton } from "../../ui/skeleton";
import grid from "./product-grid.module.css";
import styles from "./product-skeletons.module.css";

// A loading placeholder in the grid's layout.
export function ProductSkeletons({ count }: { count: number }) {
  return (
    <div className={grid.grid} aria-hidden>
      {Array.from({ length: count }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have only a position.
        <div key={place} className={styles.card}>
          <PhotoSkeleton />
          <Skeleton height="1rem" width="40%" />
          <Skeleton height="1.25rem" width="80%" />
          <Skeleton height="1.25rem" width="30%" />
        </div>
      ))}
    </div>
  );
}
