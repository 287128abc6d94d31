import Heart from "lucide-react/icons/heart";
import * as m from "messages/wishlist";
import { IconButton } from "../../ui/icon-button";
import { useInWishlist, wishlist } from "./wishlist";
import styles from "./wishlist-button.module.css";

type Props = { id: string; name: string; floating?: boolean; className?: string | undefined };

export function WishlistButton({ id, name, floating = false, className = "" }: Props) {
  const wished = useInWishlist(id);
  return (
    <IconButton
      className={`with-js ${styles.wish} ${className}`}
      label={m.addNamed({ name })}
      floating={floating}
      aria-pressed={wished}
      onClick={() => wishlist.toggle(id)}
    >
      <Heart size={18} strokeWidth={1.5} aria-hidden />
    </IconButton>
  );
}
