import * as Radix from "@radix-ui/react-dialog";
import X from "lucide-react/icons/x";
import * as common from "messages/common";
import type { Layer } from "./dialog";
import styles from "./drawer.module.css";
import { useFocusReturn } from "./focus-return";
import { IconButton } from "./icon-button";

// `thumb`: on a phone it slides up from the bottom.
type Props = Layer & { side: "start" | "end"; thumb?: boolean };

export function Drawer({
  open,
  onClose,
  title,
  side,
  thumb = false,
  returnsFocus,
  children,
}: Props) {
  const focus = useFocusReturn(returnsFocus);
  return (
    <Radix.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim} />
        <Radix.Content
          className={styles.drawer}
          data-side={side}
          data-thumb={thumb}
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
        >
          <div className={styles.head}>
            <Radix.Title className={styles.title}>{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={common.close()}>
                <X size={20} strokeWidth={1.5} aria-hidden />
              </IconButton>
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
