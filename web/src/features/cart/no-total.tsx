import * as m from "messages/cart";
import * as common from "messages/common";
import { Button } from "../../ui/button";
import styles from "./no-total.module.css";

export function NoTotal({ retry }: { retry: () => void }) {
  return (
    <div className={styles.failed} role="alert">
      <p>{m.noTotal()}</p>
      <Button quiet onClick={retry}>
        {common.retry()}
      </Button>
    </div>
  );
}
