import ShoppingBag from "lucide-react/icons/shopping-bag";
import { type ReactNode, useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { sendVerification } from "../../lib/auth";
import { useCart } from "../../lib/cart";
import { readBalance, spendable } from "../../lib/credit";
import type { User } from "../../lib/identity";
import { useLoaded } from "../../lib/loaded";
import { type Cents, cents } from "../../lib/money";
import { pendingAttempt } from "../../lib/orders/attempt";
import { joinedName, splitName } from "../../lib/orders/billing";
import type { Outcome } from "../../lib/orders/placing";
import { forgetQuote, useQuote } from "../../lib/quote";
import { NO_EMAIL, useAccountEmail, useShop } from "../../lib/shop";
import { Button, ButtonLink, SubmitButton } from "../../ui/button";
import { Empty } from "../../ui/empty";
import { Skeleton } from "../../ui/skeleton";
import { NoTotal } from "../cart-summary";
import { LineNotes } from "../line-notes";
import { type Billing, BillingFields } from "./billing-fields";
import styles from "./checkout.module.css";
import { CreditChoice } from "./credit-choice";
import { DonePopup } from "./done-popup";
import { OrderSummary } from "./order-summary";
import { PaymentChoice } from "./payment-choice";
import { usePlacing } from "./use-placing";

type Props = { user: User; split: boolean };

const NONE = 0 as Cents;

export function CheckoutForm({ user, split }: Props) {
  // Before the next line asks: whoever comes here wants to know what it costs now.
  useEffect(forgetQuote, []);
  const lines = useCart();
  const quoted = useQuote();
  const { shop } = useShop();
  const placing = usePlacing(user.uid);
  const [start] = useState(() => startingWith(user, split));
  const form = useForm<Billing>({ defaultValues: start });
  const balance = useLoaded(readBalance);
  const total = quoted.quote === null ? null : cents(quoted.quote.total);
  const pays = total === null ? null : spendable(balance.value ?? NONE, total);
  const credit = (form.watch("credit") ? pays : null) ?? NONE;
  const covered = credit > 0 && credit === total;
  const live = lines === null ? null : { lines, quoted, credit };
  // What is ordered stands still from the click on, also when it has left the cart.
  const [ordered, setOrdered] = useState<typeof live>(null);
  const shown = (placing.busy ? ordered : null) ?? live;

  const { quote, busy, failed } = quoted;
  const bought = quote?.lines.filter((line) => line.change !== "gone") ?? [];
  const sold = bought.length === 0 && !busy && !placing.busy && (quote?.lines.length ?? 0) > 0;
  const ready = quote !== null && !busy && !failed && bought.length > 0;

  const onSubmit = form.handleSubmit(async (billing) => {
    if (!ready || placing.busy) return;
    setOrdered(live);
    const came = await placing.start({
      name: split ? joinedName(billing.name, billing.lastName) : billing.name.trim(),
      phone: billing.phone.trim(),
      address: billing.address.trim(),
      lines: bought.map(({ _id, qtn }) => ({ _id, qtn })),
      total: quote.total,
      currency: shop.currency,
      payment: covered ? "store_credit" : billing.payment,
      ...(credit > 0 && { credit: credit / 100 }),
    });
    if (came?.kind === "changed" && came.cart.error.code === "credit") balance.retry();
    if (came?.kind !== "invalid") return;
    for (const { name, message } of came.fields) {
      if (!isAsked(name)) continue;
      form.setError(name, { message: sentence(name, message) }, { shouldFocus: true });
    }
  });

  if (shown === null) return <Waiting />;
  if (shown.lines.length === 0 && !placing.busy) {
    return (
      <NothingToOrder>
        <Trouble outcome={placing.outcome} again={placing.again} />
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
        {failed && !placing.busy && <NoTotal retry={quoted.retry} />}
        <div className={styles.end}>
          <Trouble outcome={placing.outcome} again={placing.again} />
          {sold ? (
            <>
              <p className={styles.small}>Nothing of this is to be had any more.</p>
              <ButtonLink href="/cart">Back to the cart</ButtonLink>
            </>
          ) : (
            <SubmitButton busy={placing.busy || (!ready && !failed)}>Place Order</SubmitButton>
          )}
          <p className={styles.small}>
            By placing your order you accept our <a href="/terms_condition">terms</a>.
          </p>
        </div>
      </OrderSummary>
      <DonePopup open={placing.outcome?.kind === "placed"} />
    </form>
  );
}

// As the account knows it; or as it was sent before a reload, so that the same stays the same.
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

// The shop says "is required" of a field.
function sentence(name: string, message: string): string {
  return /^(is|at most|only|must)\b/.test(message)
    ? `${name[0]?.toUpperCase()}${name.slice(1)}: ${message}`
    : message;
}

// What is new about the goods, wherever they stand in the list.
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

function Trouble({ outcome, again }: { outcome: Outcome | null; again: () => void }) {
  if (outcome === null || outcome.kind === "placed") return null;
  // It stands at the fields.
  if (outcome.kind === "invalid" && outcome.fields.every(({ name }) => isAsked(name))) return null;
  return (
    <div className={styles.trouble} role="alert" data-kind={outcome.kind}>
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
          <Button quiet onClick={again}>
            Try again
          </Button>
        </>
      )}
      {outcome.kind === "signedOut" && <p>You have been signed out. Please sign in again.</p>}
      {outcome.kind === "unproven" && <Unproven message={outcome.message} />}
      {(outcome.kind === "refused" || outcome.kind === "invalid") && <p>{outcome.message}</p>}
    </div>
  );
}

function Unproven({ message }: { message: string }) {
  const sends = useAccountEmail();
  const [said, setSaid] = useState("");
  const [busy, setBusy] = useState(false);
  async function sendAgain() {
    setBusy(true);
    const failed = await sendVerification();
    setBusy(false);
    setSaid(failed?.message ?? "An e-mail with the link is on its way.");
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
      {said !== "" && <p role="status">{said}</p>}
    </>
  );
}

function NothingToOrder({ children }: { children: ReactNode }) {
  return (
    <Empty icon={<ShoppingBag size={48} strokeWidth={1} aria-hidden />} title="Your carts is empty">
      <p>There is nothing to order yet.</p>
      {children}
      <ButtonLink href="/">Continue Shopping</ButtonLink>
    </Empty>
  );
}

export function Waiting() {
  return (
    <div className={styles.columns}>
      <Skeleton height="30rem" />
      <Skeleton height="24rem" />
    </div>
  );
}
