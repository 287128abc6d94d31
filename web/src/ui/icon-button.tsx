import type { ComponentProps } from "react";
import styles from "./icon-button.module.css";

type Look = {
  // What it does, in words.
  label: string;
  // On a ground of its own, to lie over a picture.
  floating?: boolean;
};

export function IconButton({
  label,
  floating,
  className = "",
  ...button
}: ComponentProps<"button"> & Look) {
  return (
    <button
      type="button"
      className={`${styles.icon} ${className}`}
      data-floating={floating}
      aria-label={label}
      title={label}
      {...button}
    />
  );
}

type Address = { href: string };

export function IconLink({
  label,
  floating,
  className = "",
  href,
  ...link
}: ComponentProps<"a"> & Look & Address) {
  return (
    <a
      href={href}
      className={`${styles.icon} ${className}`}
      data-floating={floating}
      aria-label={label}
      title={label}
      {...link}
    />
  );
}
