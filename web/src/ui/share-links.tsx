import Link2 from "lucide-react/icons/link-2";
import Mail from "lucide-react/icons/mail";
import Share2 from "lucide-react/icons/share-2";
import { toast } from "../lib/toast";
import { useHydrated } from "../lib/use-hydrated";
import { IconButton, IconLink } from "./icon-button";
import styles from "./share-links.module.css";

// The device's share sheet where there is one; else a link to copy, and e-mail.
type Props = { name: string; url: string; what?: string };

export function ShareLinks({ name, url, what = "this product" }: Props) {
  const hydrated = useHydrated();
  const native = hydrated && typeof navigator.share === "function";
  const emailUrl = `mailto:?subject=${encodeURIComponent(name)}&body=${encodeURIComponent(url)}`;
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
      <IconLink label="Send by e-mail" href={emailUrl}>
        <Mail size={18} strokeWidth={1.5} aria-hidden />
      </IconLink>
    </div>
  );
}

async function shareBy(title: string, url: string) {
  try {
    await navigator.share({ title, url });
  } catch {
    // The visitor closed the share sheet.
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
