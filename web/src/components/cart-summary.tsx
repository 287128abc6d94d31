import { useAccount, useMayBeSignedIn } from "../lib/auth";
import type { Quoted } from "../lib/quote";
import { CHECKOUT, loginUrl } from "../lib/urls";
import { Button, ButtonLink } from "../ui/button";
import { Amounts } from "./amounts";
import styles from "./cart-summary.module.css";

type Props = { quoted: Quoted & { retry: () => void } };

// While newer amounts are on their way the last stand, paler.
export function CartSummary({ quoted: { quote, busy, failed, notes, retry } }: Props) {
  const gone = Object.values(notes).some((all) => all.some((note) => note.kind === "gone"));
  return (
    <section className={styles.summary} aria-labelledby="cart-total" aria-busy={busy}>
      <h2 id="cart-total">Cart Total</h2>
      <Amounts subTotal={quote?.subTotal} shipping={quote?.shipping} total={quote?.cartTotal} />
      {failed && <NoTotal retry={retry} />}
      {gone && <p className={styles.hint}>Remove what is no longer to be had to go on.</p>}
      <Onward held={gone} />
    </section>
  );
}

export function NoTotal({ retry }: { retry: () => void }) {
  return (
    <div className={styles.failed} role="alert">
      <p>The total could not be worked out. Check your connection and try again.</p>
      <Button quiet onClick={retry}>
        Retry
      </Button>
    </div>
  );
}

function Onward({ held }: { held: boolean }) {
  const { user } = useAccount();
  const waiting = useMayBeSignedIn() && user === null;
  if (user === null) {
    return (
      <span className={styles.onward} data-waiting={waiting}>
        <ButtonLink href={loginUrl(CHECKOUT)}>To Continue Please Login first</ButtonLink>
      </span>
    );
  }
  if (held) return null;
  return (
    <span className={styles.onward}>
      <ButtonLink href={CHECKOUT}>Proceed to checkout</ButtonLink>
    </span>
  );
}
