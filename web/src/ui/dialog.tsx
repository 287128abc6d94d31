import * as Radix from "@radix-ui/react-dialog";
import X from "lucide-react/icons/x";
import * as common from "messages/common";
import type { ReactNode } from "react";
import styles from "./dialog.module.css";
import { useFocusReturn } from "./focus-return";
import { IconButton } from "./icon-button";

export type Layer = {
  open: boolean;
  onClose: () => void;
  title: string;
  // Whether focus returns to what opened it.
  returnsFocus?: () => boolean;
  children: ReactNode;
};

type Props = Layer & {
  // For a question or a form rather than for content; its title is visible.
  narrow?: boolean;
};

export function Dialog({ open, onClose, title, returnsFocus, narrow, children }: Props) {
  const focus = useFocusReturn(returnsFocus);
  return (
    <Radix.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim}>
          <Radix.Content
            className={styles.dialog}
            data-narrow={narrow}
            aria-describedby={undefined}
            // Focuses the dialog itself: a focused field would open a phone's keyboard over it.
            onOpenAutoFocus={(event) => {
              focus.remember();
              event.preventDefault();
              (event.currentTarget as HTMLElement).focus();
            }}
            onCloseAutoFocus={focus.giveBack}
          >
            <Radix.Title className={narrow ? styles.title : "visually-hidden"}>{title}</Radix.Title>
            {children}
            <Radix.Close asChild>
              <IconButton className={styles.close} label={common.close()}>
                <X size={20} strokeWidth={1.5} aria-hidden />
              </IconButton>
            </Radix.Close>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}
