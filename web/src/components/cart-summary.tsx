import { useAccount } from "../lib/auth";
import { cents } from "../lib/money";
import type { Quoted } from "../lib/quote";
import { useMoney } from "../lib/shop";
import { CHECKOUT, loginUrl } from "../lib/urls";
import { Button, ButtonLink } from "../ui/button";
import { Skeleton } from "../ui/skeleton";
import { Amounts } from "./amounts";
import styles from "./cart-summary.module.css";
import { Summary } from "./summary";

type Props = { quoted: Quoted & { retry: () => void } };

// While newer amounts are on their way the last stand, paler.
export function CartSummary({ quoted: { quote, busy, failed, notes, retry } }: Props) {
  const money = useMoney();
  const gone = Object.values(notes).some((all) => all.some((note) => note.kind === "gone"));
  return (
    <Summary id="cart-total" title="Cart Total" busy={busy}>
      <Amounts subTotal={quote?.subTotal} shipping={quote?.shipping} total={quote?.cartTotal} />
      {quote === null ? (
        <Skeleton height="1.25rem" />
      ) : (
        quote.vat > 0 && (
          <p className={styles.vat}>Vat is added at the next step: {money(cents(quote.vat))}</p>
        )
      )}
      {failed && <NoTotal retry={retry} />}
      {gone && <p className={styles.hint}>Remove what is no longer to be had to go on.</p>}
      <Onward held={gone} />
    </Summary>
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
  const { loading, user } = useAccount();
  if (user === null) {
    return (
      <span className={styles.onward} data-waiting={loading}>
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
