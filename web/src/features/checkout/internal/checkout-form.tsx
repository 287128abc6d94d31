import ShoppingBag from "lucide-react/icons/shopping-bag";
import * as cart from "messages/cart";
import * as m from "messages/checkout";
import * as common from "messages/common";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import type { ChangedCart } from "../../../lib/api.gen";
import { localUrl } from "../../../lib/language";
import { useAccountEmail, useShop } from "../../../lib/shop-context";
import { useAsync } from "../../../lib/use-async";
import { Button, ButtonLink, SubmitButton } from "../../../ui/button";
import { EmptyState } from "../../../ui/empty-state";
import { Skeleton } from "../../../ui/skeleton";
import { normalizePhone } from "../../addresses/addresses";
import { sendVerification } from "../../auth/auth";
import type { User } from "../../auth/identity";
import { useCart } from "../../cart/cart";
import { NoTotal } from "../../cart/cart-summary";
import { LineNotes } from "../../cart/line-notes";
import { invalidateQuote, linesWithQuote, useQuote } from "../../cart/quote";
import { variantName } from "../../catalog/variant-options";
import { fetchBalance, payable } from "../../credit/credit";
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

export function CheckoutForm({ user, split }: Props) {
  // Before useQuote: prices may have changed since the last visit.
  useEffect(invalidateQuote, []);
  const lines = useCart();
  const quoted = useQuote();
  const { currency } = useShop();
  const placeOrder = usePlaceOrder(user.uid);
  const [start] = useState(() => startingWith(user, split));
  const form = useForm<Billing>({ defaultValues: start });
  const balance = useAsync(useCallback(() => fetchBalance(currency), [currency]));
  const total = quoted.quote?.total ?? null;
  const pays = payable(balance.value, quoted.quote);
  const spends = form.watch("credit");
  const credit = (spends && pays) || 0;
  const covered = credit > 0 && credit === total;
  const live = lines === null ? null : { lines, quoted, credit };
  // The order stays as it was on submit, also after it has left the cart.
  const [ordered, setOrdered] = useState<typeof live>(null);
  const shown = (placeOrder.busy ? ordered : null) ?? live;

  const { quote, busy, failed } = quoted;
  const bought = quote?.lines.filter((line) => line.change !== "gone") ?? [];
  const sold = bought.length === 0 && !busy && !placeOrder.busy && (quote?.lines.length ?? 0) > 0;
  const known = quote?.currency === currency && !(spends && pays === null);
  const ready = known && !busy && !failed && bought.length > 0;

  const onSubmit = form.handleSubmit(async (billing) => {
    if (!ready || placeOrder.busy) return;
    setOrdered(live);
    const result = await placeOrder.start({
      name: split ? joinName(billing.name, billing.lastName) : billing.name.trim(),
      phone: normalizePhone(billing.phone),
      address: billing.address.trim(),
      lines: bought.map(({ _id, qtn }) => ({ _id, qtn })),
      total: quote.total,
      currency,
      payment: covered ? "store_credit" : billing.payment,
      ...(credit > 0 && { credit }),
    });
    if (result?.kind === "changed" && result.cart.error.code === "credit") balance.retry();
    if (result?.kind !== "invalid") return;
    for (const { name, message } of result.fields)
      if (isAsked(name)) form.setError(name, { message }, { shouldFocus: true });
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
              <p className={styles.small}>{m.nothingLeft()}</p>
              <ButtonLink href={localUrl("/cart")}>{m.backToCart()}</ButtonLink>
            </>
          ) : (
            <SubmitButton busy={placeOrder.busy || (!ready && !failed)}>
              {m.placeOrder()}
            </SubmitButton>
          )}
          <p className={styles.small}>
            {m.acceptTerms({ link: (text) => <a href={localUrl("/terms_condition")}>{text}</a> })}
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

// Notes about changed lines, also those not shown in the summary.
function Changes() {
  const lines = useCart() ?? [];
  const { quote, notes } = useQuote();
  const changed = linesWithQuote(lines, quote).filter((line) => notes[line._id] !== undefined);
  return (
    <ul className={styles.changes}>
      {changed.map((line) => (
        <li key={line._id}>
          {variantName(line)}
          <LineNotes line={line} notes={notes[line._id]} />
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
          <p>{m.notOrderedAfter({ strong, message: changeMessage(outcome.cart) })}</p>
          <Changes />
          <p>{m.orderAgain()}</p>
        </>
      )}
      {outcome.kind === "unknown" && (
        <>
          <p>{m.noAnswer()}</p>
          <Button quiet onClick={retry}>
            {common.tryAgain()}
          </Button>
        </>
      )}
      {outcome.kind === "signedOut" && <p>{m.signedOut()}</p>}
      {outcome.kind === "unproven" && <UnverifiedEmail message={outcome.message} />}
      {(outcome.kind === "refused" || outcome.kind === "invalid") && <p>{outcome.message}</p>}
    </div>
  );
}

function strong(text: ReactNode): ReactNode {
  return <strong>{text}</strong>;
}

// Names the product that was short.
function changeMessage({ error, quote }: ChangedCart): string {
  const line = quote.lines.find(({ change }) => change !== null);
  if (error.code !== "stock" || line === undefined) return error.message;
  const { stock, change } = line;
  const name = variantName(line);
  return change === "gone" ? m.lineSoldOut({ name }) : m.onlyLeftOf({ left: stock, name });
}

function UnverifiedEmail({ message }: { message: string }) {
  const sends = useAccountEmail();
  const [status, setStatus] = useState("");
  const [busy, setBusy] = useState(false);
  async function sendAgain() {
    setBusy(true);
    const failed = await sendVerification();
    setBusy(false);
    setStatus(failed?.message ?? m.linkSent());
  }
  if (!sends) {
    return (
      <p>
        {m.cannotConfirm({ strong, link: (text) => <a href={localUrl("/contact")}>{text}</a> })}
      </p>
    );
  }
  return (
    <>
      <p>{m.notOrdered({ strong, message })}</p>
      <Button quiet disabled={busy} onClick={() => void sendAgain()}>
        {m.sendLinkAgain()}
      </Button>
      {status !== "" && <p role="status">{status}</p>}
    </>
  );
}

function NothingToOrder({ children }: { children: ReactNode }) {
  return (
    <EmptyState
      icon={<ShoppingBag size={48} strokeWidth={1} aria-hidden />}
      title={cart.emptyPage()}
    >
      <p>{m.nothingToOrder()}</p>
      {children}
      <ButtonLink href={localUrl("/")}>{cart.continueShopping()}</ButtonLink>
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
