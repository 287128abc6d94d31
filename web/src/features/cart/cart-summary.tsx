import * as m from "messages/cart";
import * as common from "messages/common";
import { format } from "../../lib/money";
import { checkoutUrl, loginUrl } from "../../lib/urls";
import { Button, ButtonLink } from "../../ui/button";
import { Skeleton } from "../../ui/skeleton";
import { useAuth } from "../auth/auth";
import { Amounts } from "./amounts";
import styles from "./cart-summary.module.css";
import type { QuoteState } from "./quote";
import { SummaryPanel } from "./summary-panel";

type Props = { quoted: QuoteState & { retry: () => void } };

// While new amounts load, the last ones stay, dimmed.
export function CartSummary({ quoted: { quote, busy, failed, notes, retry } }: Props) {
  const gone = Object.values(notes).some((all) => all.some((note) => note.kind === "gone"));
  return (
    <SummaryPanel id="cart-total" title={m.cartTotal()} busy={busy}>
      <Amounts quote={quote} />
      {quote === null ? (
        <Skeleton height="1.25rem" />
      ) : (
        quote.vat > 0 && (
          <p className={styles.vat}>{m.vatLater({ amount: format(quote.vat, quote.currency) })}</p>
        )
      )}
      {failed && <NoTotal retry={retry} />}
      {gone && <p className={styles.hint}>{m.removeGone()}</p>}
      <CheckoutLink blocked={gone} />
    </SummaryPanel>
  );
}

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

function CheckoutLink({ blocked }: { blocked: boolean }) {
  const { loading, user } = useAuth();
  if (user === null) {
    return (
      <span className={styles.checkoutLink} data-waiting={loading}>
        <ButtonLink href={loginUrl(checkoutUrl())}>{m.loginFirst()}</ButtonLink>
      </span>
    );
  }
  if (blocked) return null;
  return (
    <span className={styles.checkoutLink}>
      <ButtonLink href={checkoutUrl()}>{m.proceed()}</ButtonLink>
    </span>
  );
}
