import { useState } from "react";
import { toast } from "../lib/toast";
import { Button } from "./button";
import styles from "./load-more.module.css";

type LoadMoreProps = {
  // The noun for the error message: "entries".
  what: string;
  load: () => Promise<void>;
};

export function LoadMore({ what, load }: LoadMoreProps) {
  const [busy, setBusy] = useState(false);

  async function more() {
    if (busy) return;
    setBusy(true);
    try {
      await load();
    } catch {
      toast.error(`More ${what} could not be loaded. Please try again.`);
    }
    setBusy(false);
  }

  return (
    <p className={styles.more}>
      <Button quiet aria-busy={busy} onClick={() => void more()}>
        Load more
      </Button>
    </p>
  );
}
