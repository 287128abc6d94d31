import ShoppingBag from "lucide-react/icons/shopping-bag";
import { type ReactNode, useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { type Cents, cents } from "../../../lib/money";
import { NO_EMAIL, useAccountEmail, useShop } from "../../../lib/shop-context";
import { useAsync } from "../../../lib/use-async";
import { Button, ButtonLink, SubmitButton } from "../../../ui/button";
import { EmptyState } from "../../../ui/empty-state";
import { Skeleton } from "../../../ui/skeleton";
import { sendVerification } from "../../auth/auth";
import type { User } from "../../auth/identity";
import { useCart } from "../../cart/cart";
import { NoTotal } from "../../cart/cart-summary";
import { LineNotes } from "../../cart/line-notes";
import { invalidateQuote, useQuote } from "../../cart/quote";
import { fetchBalance, spendable } from "../../credit/credit";
import { joinName, splitName } from "../billing-rules";
import styles from "../checkout.module.css";
import { type Billing, BillingFields } from "./billing-fields";
import { CreditChoice } from "./credit-choice";
import { DonePopup } from "./done-popup";
import { pendingAttempt } from "./order-attempt";
import { OrderSummary } from "./order-summary";
import { PaymentChoice } from "./payment-choice";
import type { PlaceOrderResult } from "./place-order";
import { usePlaceOrder } from "./use-place-order";

type Props = { user: User; split: boolean };

const NONE = 0 as Cents;

export function CheckoutForm({ user, split }: Props) {
  // Before useQuote: prices may have changed since the last visit.
  useEffect(invalidateQuote, []);
  const lines = useCart();
  const quoted = useQuote();
  const { shop } = useShop();
  const placeOrder = usePlaceOrder(user.uid);
  const [start] = useState(() => startingWith(user, split));
  const form = useForm<Billing>({ defaultValues: start });
  const balance = useAsync(fetchBalance);
  const total = quoted.quote === null ? null : cents(quoted.quote.total);
  const pays = total === null ? null : spendable(balance.value ?? NONE, total);
  const credit = (form.watch("credit") ? pays : null) ?? NONE;
  const covered = credit > 0 && credit === total;
  const live = lines === null ? null : { lines, quoted, credit };
  // The order stays as it was on submit, also after it has left the cart.
  const [ordered, setOrdered] = useState<typeof live>(null);
  const shown = (placeOrder.busy ? ordered : null) ?? live;

  const { quote, busy, failed } = quoted;
  const bought = quote?.lines.filter((line) => line.change !== "gone") ?? [];
  const sold = bought.length === 0 && !busy && !placeOrder.busy && (quote?.lines.length ?? 0) > 0;
  const ready = quote !== null && !busy && !failed && bought.length > 0;

  const onSubmit = form.handleSubmit(async (billing) => {
    if (!ready || placeOrder.busy) return;
    setOrdered(live);
    const result = await placeOrder.start({
      name: split ? joinName(billing.name, billing.lastName) : billing.name.trim(),
      phone: billing.phone.trim(),
      address: billing.address.trim(),
      lines: bought.map(({ _id, qtn }) => ({ _id, qtn })),
      total: quote.total,
      currency: shop.currency,
      payment: covered ? "store_credit" : billing.payment,
      ...(credit > 0 && { credit: credit / 100 }),
    });
    if (result?.kind === "changed" && result.cart.error.code === "credit") balance.retry();
    if (result?.kind !== "invalid") return;
    for (const { name, message } of result.fields) {
      if (!isAsked(name)) continue;
      form.setError(name, { message: sentence(name, message) }, { shouldFocus: true });
    }
  });

  if (shown === null) return <CheckoutSkeleton />;
  if (shown.lines.length === 0 && !placeOrder.busy) {
    return (
      <NothingToOrder>
        <OrderError outcome={placeOrder.outcome} retry={placeOrder.retry} />
      </NothingToOrder>
    );
  }
  return (
    <form
      className={styles.columns}
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit(event);
      }}
    >
      <div className={styles.left}>
        <BillingFields form={form} email={user.email ?? ""} split={split} />
        <PaymentChoice form={form} covered={covered}>
          <CreditChoice form={form} balance={balance} pays={pays} total={total} />
        </PaymentChoice>
      </div>
      <OrderSummary lines={shown.lines} quoted={shown.quoted} credit={shown.credit}>
        {failed && !placeOrder.busy && <NoTotal retry={quoted.retry} />}
        <div className={styles.end}>
          <OrderError outcome={placeOrder.outcome} retry={placeOrder.retry} />
          {sold ? (
            <>
              <p className={styles.small}>Nothing of this is to be had any more.</p>
              <ButtonLink href="/cart">Back to the cart</ButtonLink>
            </>
          ) : (
            <SubmitButton busy={placeOrder.busy || (!ready && !failed)}>Place Order</SubmitButton>
          )}
          <p className={styles.small}>
            By placing your order you accept our <a href="/terms_condition">terms</a>.
          </p>
        </div>
      </OrderSummary>
      <DonePopup open={placeOrder.outcome?.kind === "placed"} />
    </form>
  );
}

// From the account, or from an unanswered attempt before a reload, so that it can be sent again
// unchanged.
function startingWith({ uid, displayName }: User, split: boolean): Billing {
  const sent = pendingAttempt(uid)?.order;
  const name = sent?.name ?? displayName ?? "";
  const { first, last } = splitName(name);
  return {
    name: split ? first : name,
    lastName: split ? last : "",
    phone: sent?.phone ?? "",
    address: sent?.address ?? "",
    payment: sent?.payment ?? "cash_on_delivery",
    credit: (sent?.credit ?? 0) > 0,
  };
}

// The API's field messages are like "is required".
function sentence(name: string, message: string): string {
  return /^(is|at most|only|must)\b/.test(message)
    ? `${name[0]?.toUpperCase()}${name.slice(1)}: ${message}`
    : message;
}

// Notes about changed lines, also those not shown in the summary.
function Changes() {
  const lines = useCart() ?? [];
  const { notes } = useQuote();
  const changed = lines.filter((line) => notes[line._id] !== undefined);
  return (
    <ul className={styles.changes}>
      {changed.map((line) => (
        <li key={line._id}>
          {line.name}
          <LineNotes notes={notes[line._id]} price={line.buyPrice} />
        </li>
      ))}
    </ul>
  );
}

function isAsked(name: string): name is "name" | "phone" | "address" {
  return name === "name" || name === "phone" || name === "address";
}

function OrderError({ outcome, retry }: { outcome: PlaceOrderResult | null; retry: () => void }) {
  if (outcome === null || outcome.kind === "placed") return null;
  // Shown at the fields.
  if (outcome.kind === "invalid" && outcome.fields.every(({ name }) => isAsked(name))) return null;
  return (
    <div className={styles.error} role="alert" data-kind={outcome.kind}>
      {outcome.kind === "changed" && (
        <>
          <p>
            <strong>{outcome.cart.error.message}</strong> Nothing was ordered.
          </p>
          <Changes />
          <p>If the new total suits you, place the order again.</p>
        </>
      )}
      {outcome.kind === "unknown" && (
        <>
          <p>
            The shop did not answer, so we do not know yet whether your order has arrived. Try
            again: it is placed once, however often you do.
          </p>
          <Button quiet onClick={retry}>
            Try again
          </Button>
        </>
      )}
      {outcome.kind === "signedOut" && <p>You have been signed out. Please sign in again.</p>}
      {outcome.kind === "unproven" && <UnverifiedEmail message={outcome.message} />}
      {(outcome.kind === "refused" || outcome.kind === "invalid") && <p>{outcome.message}</p>}
    </div>
  );
}

function UnverifiedEmail({ message }: { message: string }) {
  const sends = useAccountEmail();
  const [status, setStatus] = useState("");
  const [busy, setBusy] = useState(false);
  async function sendAgain() {
    setBusy(true);
    const failed = await sendVerification();
    setBusy(false);
    setStatus(failed?.message ?? "An e-mail with the link is on its way.");
  }
  if (!sends) {
    return (
      <p>
        <strong>Nothing was ordered.</strong> For so much your address would have to be confirmed
        first. {NO_EMAIL} Order less, or <a href="/contact">write to us</a>.
      </p>
    );
  }
  return (
    <>
      <p>
        <strong>Nothing was ordered.</strong> {message}
      </p>
      <Button quiet disabled={busy} onClick={() => void sendAgain()}>
        Send me the link again
      </Button>
      {status !== "" && <p role="status">{status}</p>}
    </>
  );
}

function NothingToOrder({ children }: { children: ReactNode }) {
  return (
    <EmptyState
      icon={<ShoppingBag size={48} strokeWidth={1} aria-hidden />}
      title="Your carts is empty"
    >
      <p>There is nothing to order yet.</p>
      {children}
      <ButtonLink href="/">Continue Shopping</ButtonLink>
    </EmptyState>
  );
}

export function CheckoutSkeleton() {
  return (
    <div className={styles.columns}>
      <Skeleton height="30rem" />
      <Skeleton height="24rem" />
    </div>
  );
}
