import { useRef } from "react";

// Returns focus to the element that had it before a dialog or drawer opened. Radix expects a
// trigger inside the dialog; ours are opened from anywhere. `wanted` is false where the page itself
// changes.
export function useFocusReturn(wanted: () => boolean = () => true) {
  const opener = useRef<Element | null>(null);
  return {
    remember() {
      opener.current = document.activeElement;
    },
    giveBack(event: Event) {
      event.preventDefault();
      if (wanted() && opener.current instanceof HTMLElement) opener.current.focus();
    },
  };
}
