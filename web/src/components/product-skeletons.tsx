import { PhotoSkeleton, Skeleton } from "../ui/skeleton";
import grid from "./product-grid.module.css";
import styles from "./product-skeletons.module.css";

// A grid of products that is on its way, in the grid's own shape.
export function ProductSkeletons({ count }: { count: number }) {
  return (
    <div className={grid.grid} aria-hidden>
      {Array.from({ length: count }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing but their places.
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
