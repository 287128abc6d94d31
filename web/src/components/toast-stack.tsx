import CircleAlert from "lucide-react/icons/circle-alert";
import CircleCheck from "lucide-react/icons/circle-check";
import { useEffect } from "react";
import { resolveValue, toast as show, useToaster } from "react-hot-toast/headless";
import { showMessages } from "../lib/toast";
import styles from "./toast-stack.module.css";

// How long a toast takes to fade, in toast-stack.module.css too.
const FADE = 150;
const OPTIONS = { removeDelay: FADE, success: { duration: 2_000 }, error: { duration: 4_000 } };

// Headless: the library's own look comes as inline styles, which our policy bars, and not from
// the tokens. It keeps at most 20.
export default function ToastStack() {
  const { toasts, handlers } = useToaster(OPTIONS);
  useEffect(() => showMessages(({ kind, text }) => show[kind](text)), []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: under the pointer the messages wait.
    <div
      className={styles.stack}
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
    >
      {toasts.map((toast) => {
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
