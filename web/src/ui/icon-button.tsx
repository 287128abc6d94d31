import type { ComponentProps } from "react";
import styles from "./icon-button.module.css";

type IconProps = {
  // The accessible name.
  label: string;
  // With a background, to lie over a picture.
  floating?: boolean;
};

export function IconButton({
  label,
  floating,
  className = "",
  ...button
}: ComponentProps<"button"> & IconProps) {
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

export function IconLink({
  label,
  floating,
  className = "",
  href,
  ...link
}: ComponentProps<"a"> & IconProps & { href: string }) {
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
