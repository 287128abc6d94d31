import { Suspense } from "react";
import { lazyPiece } from "../lib/pieces";
import { useToastsWanted } from "../lib/toast";
import styles from "./toasts.module.css";

const ToastStack = lazyPiece(() => import("./toast-stack"));

// The place is there from the start, so that a screen reader notices what is put into it.
export function Toasts() {
  const wanted = useToastsWanted();
  return (
    <div className={styles.place} aria-live="polite">
      {wanted && (
        <Suspense fallback={null}>
          <ToastStack />
        </Suspense>
      )}
    </div>
  );
}
