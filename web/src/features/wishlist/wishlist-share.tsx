import * as common from "messages/common";
import * as m from "messages/wishlist";
import { useCallback, useState } from "react";
import { errorMessage } from "../../lib/api";
import type { Wishlist } from "../../lib/api.gen";
import { localUrl } from "../../lib/language";
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
      <p>{m.onlyInBrowser()}</p>
      <ButtonLink quiet href={loginUrl("/wishlist")}>
        {common.signIn()}
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
      if (method === "DELETE") toast.success(m.linkStopped());
    } catch (why) {
      toast.error(errorMessage(why));
    }
    setBusy(false);
  }

  if (failed) {
    return (
      <div className={styles.share}>
        <p>{m.sharingUnknown()}</p>
        <Button quiet onClick={retry}>
          {common.retry()}
        </Button>
      </div>
    );
  }
  if (value === null) return null;
  if (value.share === null) {
    return (
      <div className={styles.share}>
        <p>{m.onlyYou()}</p>
        <Button quiet aria-busy={busy} onClick={() => void change("POST")}>
          {m.shareByLink()}
        </Button>
      </div>
    );
  }
  const path = localUrl(value.share);
  const address = origin + path;
  return (
    <div className={styles.share}>
      <div>
        <p>{m.whoeverHasLink()}</p>
        <a className={styles.address} href={path}>
          {address}
        </a>
        <ShareLinks name={m.mine()} url={address} label={m.shareThis()} />
      </div>
      <Button quiet aria-busy={busy} onClick={() => void change("DELETE")}>
        {m.stopSharing()}
      </Button>
    </div>
  );
}
