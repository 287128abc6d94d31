import { useCallback, useState } from "react";
import { errorMessage } from "../../lib/api";
import type { Wishlist } from "../../lib/api.gen";
import { toast } from "../../lib/toast";
import { loginUrl } from "../../lib/urls";
import { useAsync } from "../../lib/use-async";
import { Button, ButtonLink } from "../../ui/button";
import { ShareLinks } from "../../ui/share-links";
import { authJson } from "../auth/api-auth";
import { useAuth } from "../auth/auth";
import styles from "./wishlist-share.module.css";

// A guest's list exists only in this browser, and cannot be shared.
export function WishlistShare({ origin, empty }: { origin: string; empty: boolean }) {
  const { loading, user } = useAuth();
  if (user !== null) return <Link origin={origin} />;
  if (loading || empty) return null;
  return (
    <div className={styles.share}>
      <p>This list is in this browser alone. Sign in to have it everywhere, and to share it.</p>
      <ButtonLink quiet href={loginUrl("/wishlist")}>
        Sign in
      </ButtonLink>
    </div>
  );
}

function Link({ origin }: { origin: string }) {
  const load = useCallback(() => authJson<Wishlist>("/api/wishlist"), []);
  const { value, failed, retry, replace } = useAsync(load);
  const [busy, setBusy] = useState(false);

  async function change(method: "POST" | "DELETE") {
    if (busy) return;
    setBusy(true);
    try {
      replace(await authJson<Wishlist>("/api/wishlist/share", { method }));
      if (method === "DELETE") toast.success("The link does not work any more.");
    } catch (why) {
      toast.error(errorMessage(why));
    }
    setBusy(false);
  }

  if (failed) {
    return (
      <div className={styles.share}>
        <p>Whether this list is shared could not be found out.</p>
        <Button quiet onClick={retry}>
          Retry
        </Button>
      </div>
    );
  }
  if (value === null) return null;
  if (value.share === null) {
    return (
      <div className={styles.share}>
        <p>Only you see this list. By a link, friends can see it too.</p>
        <Button quiet aria-busy={busy} onClick={() => void change("POST")}>
          Share by link
        </Button>
      </div>
    );
  }
  const address = origin + value.share;
  return (
    <div className={styles.share}>
      <div>
        <p>Whoever has this link sees the list, and your name:</p>
        <a className={styles.address} href={value.share}>
          {address}
        </a>
        <ShareLinks name="My wishlist" url={address} what="this list" />
      </div>
      <Button quiet aria-busy={busy} onClick={() => void change("DELETE")}>
        Stop sharing
      </Button>
    </div>
  );
}
