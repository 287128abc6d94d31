import * as m from "messages/payment";
import { type SubmitEvent, useId, useState } from "react";
import type { PaymentProvider } from "../../../lib/api.gen";
import { localUrl } from "../../../lib/language";
import { format } from "../../../lib/money";
import { SubmitButton } from "../../../ui/button";
import { leaveFor } from "../leave";
import { MethodCards } from "../method-cards";
import { chooseMethod } from "../method-rules";
import { contactLink } from "../pay-texts";
import styles from "../pay-view.module.css";
import { failureText, PaymentError, payUrlOf, startPayment } from "../payment-api";
import type { PaymentNow } from "../use-payment";
import { Held } from "./held";

// How to pay, and the button that leads there. Without JavaScript the browser submits the form, which redirects.
export function PayForm({ now, refresh }: PaymentNow) {
  const { number, key, methods, toPay, currency, expiresAt, payment } = now;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const heading = useId();
  const chosen = chooseMethod(methods, payment?.provider, toPay, currency);
  if (chosen === null) return <p>{m.noWays({ link: contactLink })}</p>;

  async function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const provider = new FormData(event.currentTarget).get("payment") as PaymentProvider;
    setBusy(true);
    setError(null);
    try {
      leaveFor(await startPayment(payUrlOf(now), provider), () => setBusy(false));
    } catch (why) {
      setBusy(false);
      setError(failureText(why));
      // It was paid or cancelled meanwhile.
      if (why instanceof PaymentError && why.status === 409) refresh();
    }
  }

  return (
    <form
      className={styles.form}
      method="post"
      action={localUrl(`/pay/${encodeURIComponent(number)}`)}
      onSubmit={onSubmit}
    >
      <input type="hidden" name="key" value={key} />
      <h2 id={heading}>{m.chooseWay()}</h2>
      <MethodCards
        methods={methods}
        amount={toPay}
        currency={currency}
        // Uncontrolled: what was chosen before hydration stays.
        input={(provider) => ({ name: "payment", defaultChecked: provider === chosen })}
        labelledBy={heading}
      />
      {error !== null && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <SubmitButton busy={busy}>{m.pay({ amount: format(toPay, currency) })}</SubmitButton>
      {expiresAt !== null && <Held until={expiresAt} onEnd={refresh} />}
    </form>
  );
}
