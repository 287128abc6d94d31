import { useRef } from "react";

// What had the focus before a layer opened gets it back: Radix looks for a trigger inside the layer,
// and ours are opened from anywhere. `wanted` says no where the page itself is left.
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
