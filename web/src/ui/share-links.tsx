import Link2 from "lucide-react/icons/link-2";
import Mail from "lucide-react/icons/mail";
import Share2 from "lucide-react/icons/share-2";
import * as m from "messages/ui";
import { toast } from "../lib/toast";
import { useHydrated } from "../lib/use-hydrated";
import { IconButton, IconLink } from "./icon-button";
import styles from "./share-links.module.css";

// The device's share sheet where there is one; else a link to copy, and e-mail.
// `label` says what is shared: "Share this product".
type Props = { name: string; url: string; label: string };

export function ShareLinks({ name, url, label }: Props) {
  const hydrated = useHydrated();
  const native = hydrated && typeof navigator.share === "function";
  const emailUrl = `mailto:?subject=${encodeURIComponent(name)}&body=${encodeURIComponent(url)}`;
  return (
    <div className={styles.share}>
      <span className={styles.label}>{m.share()}</span>
      {native && (
        <IconButton label={label} onClick={() => void shareBy(name, url)}>
          <Share2 size={18} strokeWidth={1.5} aria-hidden />
        </IconButton>
      )}
      {!native && (
        <IconButton className="with-js" label={m.copyLink()} onClick={() => void copy(url)}>
          <Link2 size={18} strokeWidth={1.5} aria-hidden />
        </IconButton>
      )}
      <IconLink label={m.sendByEmail()} href={emailUrl}>
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
    toast.success(m.linkCopied());
  } catch {
    toast.error(m.linkNotCopied());
  }
}
