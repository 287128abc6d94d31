// Replaces react-remove-scroll, a dependency of Radix that writes a <style> into the page, which
// our Content-Security-Policy forbids. An attribute and a CSS rule do the same (vite.config.ts has
// the alias).
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
    // Keeps the scroll bar's width free, so that nothing moves.
    if (locks === 1) root.dataset.locked = innerWidth > root.clientWidth ? "bar" : "";
    return () => {
      locks -= 1;
      if (locks === 0) delete root.dataset.locked;
    };
  }, []);
  return <As {...rest} />;
}
