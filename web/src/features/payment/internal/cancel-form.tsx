import * as m from "messages/payment";
import { type SubmitEvent, useState } from "react";
import { localUrl } from "../../../lib/language";
import { Button } from "../../../ui/button";
import styles from "../pay-view.module.css";
import { cancelOrder, failureText, PaymentError, payUrlOf } from "../payment-api";
import type { PaymentNow } from "../use-payment";

// Gives the order up. It is folded up, because it cannot be taken back.
export function CancelForm({ now, replace, refresh }: PaymentNow) {
  const { number, key } = now;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      replace(await cancelOrder(payUrlOf(now)));
    } catch (why) {
      setBusy(false);
      setError(failureText(why));
      if (why instanceof PaymentError && why.status === 409) refresh();
    }
  }

  return (
    <details className={styles.more}>
      <summary>{m.cancelQuestion()}</summary>
      <form
        className={styles.form}
        method="post"
        action={localUrl(`/pay/${encodeURIComponent(number)}/cancel`)}
        onSubmit={onSubmit}
      >
        <input type="hidden" name="key" value={key} />
        <p>{m.cancelText()}</p>
        {error !== null && (
          <p className={styles.error} role="alert">
            {error}
          </p>
        )}
        <Button quiet type="submit" aria-busy={busy}>
          {m.cancelOrder()}
        </Button>
      </form>
    </details>
  );
}
