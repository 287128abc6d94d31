import Heart from "lucide-react/icons/heart";
import { useWished, wishlist } from "../lib/wishlist";
import { IconButton } from "../ui/icon-button";
import styles from "./wish-button.module.css";

type Props = { id: string; name: string; floating?: boolean; className?: string | undefined };

export function WishButton({ id, name, floating = false, className = "" }: Props) {
  const wished = useWished(id);
  return (
    <IconButton
      className={`with-js ${styles.wish} ${className}`}
      label={`Add ${name} to the wishlist`}
      floating={floating}
      aria-pressed={wished}
      onClick={() => wishlist.toggle(id)}
    >
      <Heart size={18} strokeWidth={1.5} aria-hidden />
    </IconButton>
  );
}
