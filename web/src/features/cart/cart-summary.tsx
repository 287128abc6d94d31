import * as m from "messages/cart";
import { format } from "../../lib/money";
import { useShop } from "../../lib/shop-context";
import { checkoutUrl, loginUrl } from "../../lib/urls";
import { ButtonLink } from "../../ui/button";
import { Skeleton } from "../../ui/skeleton";
import { useAuth } from "../auth/auth";
import { DeliverySection } from "../delivery/delivery-section";
import { CodeSection } from "../discounts/code-section";
import { Amounts } from "./amounts";
import styles from "./cart-summary.module.css";
import { NoTotal } from "./no-total";
import type { Quoted } from "./quote";
import { SummaryPanel } from "./summary-panel";

type Props = { quoted: Quoted };

// While new amounts load, the last ones stay, dimmed.
export function CartSummary({ quoted }: Props) {
  const { quote, busy, failed, notes, retry } = quoted;
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
      <CodeSection quoted={quoted} />
      {quote && <DeliverySection quote={quote} />}
      {failed && <NoTotal retry={retry} />}
      {gone && <p className={styles.hint}>{m.removeGone()}</p>}
      {quote?.undeliverable !== true && <CheckoutLink blocked={gone} />}
    </SummaryPanel>
  );
}

function CheckoutLink({ blocked }: { blocked: boolean }) {
  const { loading, user } = useAuth();
  const { guestCheckout } = useShop();
  if (user === null) {
    return (
      <span className={styles.checkoutLink} data-waiting={loading}>
        <ButtonLink href={loginUrl(checkoutUrl())}>{m.loginFirst()}</ButtonLink>
        {guestCheckout && !blocked && (
          <ButtonLink href={checkoutUrl()} quiet>
            {m.orderAsGuest()}
          </ButtonLink>
        )}
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
