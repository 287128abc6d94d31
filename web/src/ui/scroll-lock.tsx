// Stands in for react-remove-scroll, which Radix brings along: that one writes a <style> into the
// page, which our policy bars. An attribute and a rule of our own do the same (vite.config.ts).
import { type ElementType, type ReactNode, useEffect } from "react";

type Props = {
  as?: ElementType;
  allowPinchZoom?: boolean;
  shards?: unknown;
  enabled?: boolean;
  children?: ReactNode;
};

let locks = 0;

export function RemoveScroll({ as: As = "div", allowPinchZoom, shards, enabled, ...rest }: Props) {
  useEffect(() => {
    const root = document.documentElement;
    locks += 1;
    // A scroll bar that goes away leaves its room, so that nothing moves.
    if (locks === 1) root.dataset.locked = innerWidth > root.clientWidth ? "bar" : "";
    return () => {
      locks -= 1;
      if (locks === 0) delete root.dataset.locked;
    };
  }, []);
  return <As {...rest} />;
}
