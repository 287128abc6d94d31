import CircleX from "lucide-react/icons/circle-x";
import CreditCard from "lucide-react/icons/credit-card";
import Hourglass from "lucide-react/icons/hourglass";
import Landmark from "lucide-react/icons/landmark";
import PackageCheck from "lucide-react/icons/package-check";
import PackageX from "lucide-react/icons/package-x";
import Undo2 from "lucide-react/icons/undo-2";
import * as cart from "messages/cart";
import * as checkout from "messages/checkout";
import * as common from "messages/common";
import * as m from "messages/payment";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import type { CartStep, PaymentView } from "../../lib/api.gen";
import { longDate } from "../../lib/dates";
import { localUrl } from "../../lib/language";
import { format } from "../../lib/money";
import { announce } from "../../lib/navigation";
import { useShop } from "../../lib/shop-context";
import { orderUrl, signupUrl, trackUrl } from "../../lib/urls";
import { ButtonLink } from "../../ui/button";
import { CartSteps } from "../cart/cart-steps";
import { settleAwaiting } from "../checkout/awaiting-orders";
import { DonePopup } from "../checkout/done-popup";
import done from "../checkout/order-completed.module.css";
import { PAYMENT_NAMES } from "../layout/payment-icons";
import { STATUS_TEXTS } from "../orders/order-status";
import { CancelForm } from "./internal/cancel-form";
import { PayForm } from "./internal/pay-form";
import { type PayState, payState, takesLong } from "./pay-state";
import { amountOf, said } from "./pay-texts";
import styles from "./pay-view.module.css";
import { payPageUrl, payUrlOf } from "./payment-api";
import type { PaymentNow } from "./use-payment";

type Icon = ComponentType<{
  className?: string | undefined;
  size: number;
  strokeWidth: number;
  "aria-hidden": true;
}>;

const ICONS: Record<PayState, Icon> = {
  awaiting: CreditCard,
  failed: CircleX,
  asking: Hourglass,
  processing: Landmark,
  expired: PackageX,
  cancelled: PackageX,
  authorised: PackageCheck,
  paid: PackageCheck,
  unpaid: PackageCheck,
  partlyRefunded: Undo2,
  refunded: Undo2,
  disputed: Landmark,
};

const STEPS: Partial<Record<PayState, CartStep>> = {
  awaiting: "checkout",
  failed: "checkout",
  asking: "checkout",
  processing: "checkout",
  authorised: "completed",
  paid: "completed",
};

const POPUP_STAYS = 1_500;

type Props = PaymentNow & { heading?: "h1" | "h2" };

// The payment page of an order: what has become of the payment, and what the shopper can do.
export function PayView({ heading = "h1", ...payment }: Props) {
  const { now } = payment;
  const state = payState(now);
  const isNew = now.status === "awaiting_payment" || now.status === "placed";
  const step = isNew ? STEPS[state] : undefined;
  return (
    <>
      {step && <CartSteps current={step} />}
      <div className={`${done.completed} ${styles.page}`}>
        <Message state={state} heading={heading} {...payment} />
        <Facts state={state} now={now} />
        {(state === "awaiting" || state === "failed") && (
          <>
            <PayForm {...payment} />
            <CancelForm {...payment} />
          </>
        )}
        {state === "asking" && (
          <>
            <LookAgain now={now} />
            <details className={styles.more} open={takesLong(payment.tries)}>
              <summary>{m.notPaidYet()}</summary>
              <PayForm {...payment} />
            </details>
          </>
        )}
        {(state === "paid" || state === "authorised") && <WhatNext now={now} />}
        <Ways state={state} now={now} />
      </div>
      <Popup now={now} />
    </>
  );
}

type StateProps = { state: PayState; now: PaymentView };

function Message({ state, now, tries, unreachable, heading: Heading = "h1" }: Props & StateProps) {
  const { sendsEmail } = useShop();
  const { title, sentences } = said(state, now, sendsEmail && !now.guest);
  const Icon = ICONS[state];
  const asking = takesLong(tries) ? m.askingLong() : m.askingText();
  const [movesOn] = useState(state === "asking" || state === "processing");
  return (
    <div className={movesOn ? styles.message : undefined} aria-live="polite">
      <Icon
        className={state === "failed" ? styles.error : done.icon}
        size={56}
        strokeWidth={1}
        aria-hidden
      />
      <Heading>{title}</Heading>
      {sentences.map((sentence, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other.
        <p key={place} className={done.lead}>
          {sentence}
        </p>
      ))}
      {state === "asking" && (
        <>
          <p className={`with-js ${done.lead}`}>{unreachable ? m.askingOffline() : asking}</p>
          <p className={`without-js ${done.lead}`}>{m.askingShort()}</p>
        </>
      )}
    </div>
  );
}

function Facts({ state, now }: StateProps) {
  const { number, total, toPay, currency, payment } = now;
  const money = (amount: number) => format(amount, currency);
  const isPaid = state === "paid" || state === "authorised" || state === "disputed";
  const isPaidBack = state === "refunded" || state === "partlyRefunded";
  const isDue = !isPaid && !isPaidBack && state !== "cancelled" && state !== "expired";
  const taken = payment?.amount ?? toPay;
  return (
    <dl className={done.facts}>
      <Fact name={checkout.orderNumber()}>{number}</Fact>
      {(isDue ? toPay : taken) !== total && <Fact name={m.total()}>{money(total)}</Fact>}
      {isDue && <Fact name={state === "processing" ? m.amount() : m.toPay()}>{money(toPay)}</Fact>}
      {isPaid && (
        <Fact name={state === "authorised" ? m.reserved() : m.paid()}>{amountOf(now)}</Fact>
      )}
      {isPaidBack && payment && <Fact name={m.givenBack()}>{money(payment.refunded)}</Fact>}
      {(isPaid || isPaidBack) && payment && (
        <>
          <Fact name={m.paidWith()}>{PAYMENT_NAMES[payment.provider]()}</Fact>
          <Fact name={m.date()} wide>
            {longDate(payment.changedAt)}
          </Fact>
        </>
      )}
    </dl>
  );
}

type FactProps = { name: string; wide?: boolean; children: ReactNode };

function Fact({ name, wide = false, children }: FactProps) {
  return (
    <div className={wide ? done.delivery : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

// Without JavaScript the page does not move on.
function LookAgain({ now }: { now: PaymentView }) {
  return (
    <p className="without-js">
      <ButtonLink href={payPageUrl(`${payUrlOf(now)}&returned=1`)}>{m.lookAgain()}</ButtonLink>
    </p>
  );
}

function WhatNext({ now: { status, guest, number } }: { now: PaymentView }) {
  const isToPack = status === "placed" || status === "confirmed";
  return (
    <>
      <h2>{checkout.whatNext()}</h2>
      <ol className={done.next}>
        <li>{isToPack ? checkout.wePack() : STATUS_TEXTS[status]()}</li>
        {isToPack && !guest && <li>{checkout.untilPacked()}</li>}
        {guest && (
          <li>
            <span>
              {m.claimLater({
                link: (text) => <a href={signupUrl(trackUrl(number))}>{text}</a>,
              })}
            </span>
          </li>
        )}
      </ol>
    </>
  );
}

function Ways({ state, now: { number, guest } }: StateProps) {
  if (state === "awaiting" || state === "failed" || state === "asking") return null;
  const isOver = state === "cancelled" || state === "expired";
  const isPaid = state === "paid" || state === "authorised";
  return (
    <p className={done.ways}>
      {isOver && <ButtonLink href={localUrl("/cart")}>{checkout.toTheCart()}</ButtonLink>}
      <ButtonLink href={trackUrl(number)} quiet={isOver}>
        {common.trackMyOrder()}
      </ButtonLink>
      {!guest && (
        <ButtonLink href={orderUrl(number)} quiet>
          {isPaid ? m.seeInvoice() : checkout.seeOrder()}
        </ButtonLink>
      )}
      {!isOver && (
        <ButtonLink href={localUrl("/")} quiet>
          {cart.continueShopping()}
        </ButtonLink>
      )}
    </p>
  );
}

// Once, in the browser that placed the order: what it bought leaves the cart, and a popup says that it is done.
function Popup({ now: { number, status } }: { now: PaymentView }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (settleAwaiting(number, status)) setOpen(true);
  }, [number, status]);
  useEffect(() => {
    if (!open) return;
    announce(checkout.done());
    const over = setTimeout(() => setOpen(false), POPUP_STAYS);
    return () => clearTimeout(over);
  }, [open]);
  return <DonePopup open={open} />;
}
