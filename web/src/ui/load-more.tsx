import * as m from "messages/ui";
import { useState } from "react";
import { toast } from "../lib/toast";
import { Button } from "./button";
import styles from "./load-more.module.css";

type LoadMoreProps = {
  // Shown where loading fails: "More entries could not be loaded. Please try again."
  failure: string;
  load: () => Promise<void>;
};

export function LoadMore({ failure, load }: LoadMoreProps) {
  const [busy, setBusy] = useState(false);

  async function more() {
    if (busy) return;
    setBusy(true);
    try {
      await load();
    } catch {
      toast.error(failure);
    }
    setBusy(false);
  }

  return (
    <p className={styles.more}>
      <Button quiet aria-busy={busy} onClick={() => void more()}>
        {m.loadMore()}
      </Button>
    </p>
  );
}
