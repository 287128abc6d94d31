import { Suspense } from "react";
import { lazyComponent } from "../../lib/lazy";
import { useToastsNeeded } from "../../lib/toast";
import styles from "./toasts.module.css";

const ToastStack = lazyComponent(() => import("./internal/toast-stack"));

// The live region exists from the start, so that screen readers announce what is added.
export function Toasts() {
  const needed = useToastsNeeded();
  return (
    <div className={styles.place} aria-live="polite">
      {needed && (
        <Suspense fallback={null}>
          <ToastStack />
        </Suspense>
      )}
    </div>
  );
}
