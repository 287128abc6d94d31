import CircleAlert from "lucide-react/icons/circle-alert";
import CircleCheck from "lucide-react/icons/circle-check";
import { useEffect } from "react";
import { resolveValue, toast as show, useToaster } from "react-hot-toast/headless";
import { useOverlay } from "../../../lib/overlay";
import { setToastRenderer } from "../../../lib/toast";
import styles from "./toast-stack.module.css";

// The fade duration, also in toast-stack.module.css.
const FADE = 150;
const OPTIONS = { removeDelay: FADE, success: { duration: 2_000 }, error: { duration: 4_000 } };

// Headless: the library's own styles are inline, which our Content-Security-Policy forbids.
export default function ToastStack() {
  const { toasts, handlers } = useToaster(OPTIONS);
  const cartIsOpen = useOverlay().open === "cart";
  // On a phone they would cover the title of the cart's panel, which shows what was added.
  const shown = toasts.filter(({ type }) => !(cartIsOpen && type === "success"));
  useEffect(() => setToastRenderer(({ kind, text }) => show[kind](text)), []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering pauses the toasts.
    <div
      className={styles.stack}
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
    >
      {shown.map((toast) => {
        const Icon = toast.type === "error" ? CircleAlert : CircleCheck;
        return (
          <p
            key={toast.id}
            className={styles.toast}
            data-kind={toast.type}
            data-out={!toast.visible}
          >
            <Icon size={20} strokeWidth={1.5} aria-hidden />
            <span>{resolveValue(toast.message, toast)}</span>
          </p>
        );
      })}
    </div>
  );
}
