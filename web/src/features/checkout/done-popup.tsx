import * as Radix from "@radix-ui/react-dialog";
import Check from "lucide-react/icons/check";
import * as m from "messages/checkout";
import { focusHeading } from "../../lib/navigation";
import styles from "./done-popup.module.css";

// A confirmation without buttons: the page closes it by itself, and its heading gets the focus.
export function DonePopup({ open }: { open: boolean }) {
  return (
    <Radix.Root open={open}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim}>
          <Radix.Content
            className={styles.popup}
            aria-describedby={undefined}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              focusHeading();
            }}
          >
            <span className={styles.tick}>
              <Check size={32} strokeWidth={1.5} aria-hidden />
            </span>
            <Radix.Title className={styles.words} role="status">
              {m.done()}
            </Radix.Title>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}
