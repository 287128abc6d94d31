import { useAccount, useMayBeSignedIn } from "../lib/auth";
import { cents } from "../lib/money";
import type { Quoted } from "../lib/quote";
import { useMoney } from "../lib/shop";
import { loginUrl } from "../lib/urls";
import { Button, ButtonLink } from "../ui/button";
import { Skeleton } from "../ui/skeleton";
import styles from "./cart-summary.module.css";
import { Checkout } from "./checkout";

type Props = { quoted: Quoted & { retry: () => void } };

// The server's amounts, as they are. While newer ones are on their way the last stand, paler.
export function CartSummary({ quoted: { quote, busy, failed, notes, retry } }: Props) {
  const money = useMoney();
  const amount = (dollars: number | undefined) =>
    dollars === undefined ? <Skeleton width="5rem" height="1.25rem" /> : money(cents(dollars));
  const gone = Object.values(notes).some((all) => all.some((note) => note.kind === "gone"));
  return (
    <section className={styles.summary} aria-labelledby="cart-total" aria-busy={busy}>
      <h2 id="cart-total">Cart Total</h2>
      <dl className={styles.amounts}>
        <div>
          <dt>Sub Total</dt>
          <dd>{amount(quote?.subTotal)}</dd>
        </div>
        <div>
          <dt>Shipping</dt>
          <dd>{quote?.shipping === 0 && quote.subTotal > 0 ? "Free" : amount(quote?.shipping)}</dd>
        </div>
        <div className={styles.total}>
          <dt>Total</dt>
          <dd>{amount(quote?.cartTotal)}</dd>
        </div>
      </dl>
      {failed && (
        <div className={styles.failed} role="alert">
          <p>The total could not be worked out. Check your connection and try again.</p>
          <Button quiet onClick={retry}>
            Retry
          </Button>
        </div>
      )}
      {gone && <p className={styles.hint}>Remove what is no longer to be had to go on.</p>}
      <Onward held={gone} />
    </section>
  );
}

function Onward({ held }: { held: boolean }) {
  const { user } = useAccount();
  const waiting = useMayBeSignedIn() && user === null;
  if (user === null) {
    return (
      <span className={styles.onward} data-waiting={waiting}>
        <ButtonLink href={loginUrl("/cart")}>To Continue Please Login first</ButtonLink>
      </span>
    );
  }
  if (Checkout === null || held) return null;
  return (
    <span className={styles.onward}>
      <ButtonLink href="/cart?step=checkout">Proceed to checkout</ButtonLink>
    </span>
  );
}
