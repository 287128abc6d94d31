import Link2 from "lucide-react/icons/link-2";
import Mail from "lucide-react/icons/mail";
import Share2 from "lucide-react/icons/share-2";
import { useAlive } from "../lib/alive";
import { toast } from "../lib/toast";
import { IconButton, IconLink } from "../ui/icon-button";
import styles from "./share.module.css";

// The device's own way of sharing where there is one; else the link to copy, or a letter.
type Props = { name: string; url: string; what?: string };

export function Share({ name, url, what = "this product" }: Props) {
  const alive = useAlive();
  const native = alive && typeof navigator.share === "function";
  const letter = `mailto:?subject=${encodeURIComponent(name)}&body=${encodeURIComponent(url)}`;
  return (
    <div className={styles.share}>
      <span className={styles.label}>Share</span>
      {native && (
        <IconButton label={`Share ${what}`} onClick={() => void shareBy(name, url)}>
          <Share2 size={18} strokeWidth={1.5} aria-hidden />
        </IconButton>
      )}
      {!native && (
        <IconButton className="with-js" label="Copy the link" onClick={() => void copy(url)}>
          <Link2 size={18} strokeWidth={1.5} aria-hidden />
        </IconButton>
      )}
      <IconLink label="Send by e-mail" href={letter}>
        <Mail size={18} strokeWidth={1.5} aria-hidden />
      </IconLink>
    </div>
  );
}

async function shareBy(title: string, url: string) {
  try {
    await navigator.share({ title, url });
  } catch {
    // Thought better of it.
  }
}

async function copy(url: string) {
  try {
    await navigator.clipboard.writeText(url);
    toast.success("The link is copied.");
  } catch {
    toast.error("The link could not be copied.");
  }
}
