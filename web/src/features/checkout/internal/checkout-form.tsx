import ShoppingBag from "lucide-react/icons/shopping-bag";
import * as cart from "messages/cart";
import * as m from "messages/checkout";
import * as common from "messages/common";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import type { ChangedCart, CountryName, GiftCardPayment, Quote } from "../../../lib/api.gen";
import { localUrl } from "../../../lib/language";
import { minus, sum } from "../../../lib/money";
import { useAccountEmail, useShop } from "../../../lib/shop-context";
import { useAsync } from "../../../lib/use-async";
import { Button, ButtonLink, SubmitButton } from "../../../ui/button";
import { EmptyState } from "../../../ui/empty-state";
import { Skeleton } from "../../../ui/skeleton";
import { emptyParts, partsToSend, sentParts, type TypedParts } from "../../addresses/address-parts";
import { normalizePhone } from "../../addresses/addresses";
import { askedFields, showFieldErrors } from "../../addresses/field-errors";
import { sendVerification } from "../../auth/auth";
import type { User } from "../../auth/identity";
import { useCart } from "../../cart/cart";
import { deliveryChoice, fitChoice } from "../../cart/delivery-choice";
import { LineNotes } from "../../cart/line-notes";
import { NoTotal } from "../../cart/no-total";
import { invalidateQuote, linesWithQuote, useQuote } from "../../cart/quote";
import { useQuotedPayment } from "../../cart/quoted-payment";
import { variantName } from "../../catalog/variant-options";
import { fetchBalance, payable } from "../../credit/credit";
import { refusalSentence } from "../../discounts/refusal-sentence";
import { GiftCardSection } from "../../gift-cards/gift-card-section";
import type { CardPart } from "../../gift-cards/gift-cards";
import { useGiftCards } from "../../gift-cards/use-gift-cards";
import { PhoneCodeField } from "../../orders/phone-code-field";
import { isPaidElsewhere } from "../../payment/method-rules";
import { joinName, splitName } from "../billing-rules";
import styles from "../checkout.module.css";
import { DonePopup } from "../done-popup";
import { type Billing, BillingFields } from "./billing-fields";
import { CreditChoice } from "./credit-choice";
import { DeliveryChoice } from "./delivery-choice";
import { GiftCardRecipients, showRecipientErrors } from "./gift-card-recipients";
import { pendingAttempt } from "./order-attempt";
import { OrderSummary } from "./order-summary";
import { PaymentChoice } from "./payment-choice";
import type { PlaceOrderResult } from "./place-order";
import { recipientsToSend, typedRecipients } from "./recipients";
import { usePlaceOrder } from "./use-place-order";
import { useQuotedAddress } from "./use-quoted-address";

// `user`: null for a guest. The children come first.
type Props = { user: User | null; split: boolean; children?: ReactNode };

export function CheckoutForm({ user, split, children }: Props) {
  // Before useQuote: prices may have changed since the last visit.
  useEffect(invalidateQuote, []);
  const lines = useCart();
  const quoted = useQuote();
  const { currency, countries } = useShop();
  const placeOrder = usePlaceOrder(user?.uid ?? "");
  const [start] = useState(() => startingWith(user, split, countries));
  const shouldFocusError = countries.length === 0;
  const form = useForm<Billing>({ defaultValues: start, shouldFocusError });
  const isQuoted = useQuotedAddress(form, quoted.quote);
  const hasAccount = user !== null;
  const balance = useAsync(
    useCallback(
      () => (hasAccount ? fetchBalance(currency) : Promise.resolve({ amount: 0, currency })),
      [hasAccount, currency],
    ),
  );
  const [sentCodes] = useState(() => giftCardCodes(user));
  // Where gift cards and store credit pay this, there is no fee for cash on delivery.
  const feeless = quoted.quote && withoutFee(quoted.quote);
  const giftCards = useGiftCards(feeless, currency, sentCodes);
  const { parts: cards } = giftCards;
  // What is left of it to pay after the gift cards.
  const rest = feeless && minus(feeless.total, giftCards.paid, currency);
  const pays = payable(balance.value, feeless && { ...feeless, total: rest ?? 0 });
  const spends = form.watch("credit");
  const credit = (spends && pays) || 0;
  const covered = giftCards.paid + credit > 0 && credit === rest;
  const covering = credit > 0 ? "store_credit" : "gift_card";
  const payment = covered ? covering : form.watch("payment");
  const isPaymentQuoted = useQuotedPayment(payment);
  const live = lines === null ? null : { lines, quoted, cards, credit };
  // The order stays as it was on submit, also after it has left the cart.
  const [ordered, setOrdered] = useState<typeof live>(null);
  const shown = (placeOrder.busy ? ordered : null) ?? live;

  // The phone number that a code was sent to, where an order with it needed one.
  const [codeSentTo, setCodeSentTo] = useState<string | null>(null);
  const needsCode = codeSentTo !== null && codeSentTo === normalizePhone(form.watch("phone"));
  const { outcome } = placeOrder;
  useEffect(() => {
    if (outcome?.kind !== "codeRequired") return;
    setCodeSentTo(normalizePhone(form.getValues("phone")));
    if (outcome.tried) form.setError("phoneCode", { message: outcome.message });
  }, [outcome, form]);

  const { quote, busy, failed } = quoted;
  const bought = quote?.lines.filter((line) => line.change !== "gone") ?? [];
  const gifts = bought.filter(({ giftCard }) => giftCard);
  // The total is that with these.
  const applied = quote?.codes.flatMap(({ code, applied }) => (applied ? code : [])) ?? [];
  const sold = bought.length === 0 && !busy && !placeOrder.busy && (quote?.lines.length ?? 0) > 0;
  const known = quote?.currency === currency && giftCards.known && !(spends && pays === null);
  const nowhere = quote?.undeliverable === true && isQuoted && !placeOrder.busy;
  const isCurrent = isQuoted && isPaymentQuoted && !busy && !failed;
  const ready = known && isCurrent && !nowhere && bought.length > 0;

  const onSubmit = form.handleSubmit(async (billing) => {
    if (!ready || placeOrder.busy) return;
    setOrdered(live);
    const recipients = recipientsToSend(
      gifts.map(({ _id }) => _id),
      billing.recipients,
    );
    const result = await placeOrder.start({
      name: split ? joinName(billing.name, billing.lastName) : billing.name.trim(),
      phone: normalizePhone(billing.phone),
      address: countries.length > 0 ? partsToSend(billing.parts) : billing.address.trim(),
      lines: bought.map(({ _id, qtn }) => ({ _id, qtn })),
      total: quote.total,
      currency,
      payment: covered ? payment : billing.payment,
      ...(giftCards.paid > 0 && { giftCards: cardPayments(cards) }),
      ...(credit > 0 && { credit }),
      ...(applied.length > 0 && { codes: applied }),
      ...(quote.delivery !== null && { delivery: quote.delivery }),
      ...(!hasAccount && billing.email.trim() !== "" && { email: billing.email.trim() }),
      ...(recipients.length > 0 && { giftCardRecipients: recipients }),
      // Without it the order is refused, or needs none any more.
      ...(needsCode && billing.phoneCode.trim() !== "" && { phoneCode: billing.phoneCode.trim() }),
    });
    if (result?.kind === "changed" && result.cart.error.code === "credit") balance.retry();
    if (result?.kind === "changed" && result.cart.error.code === "gift_card") giftCards.refresh();
    if (result?.kind !== "invalid") return;
    const others = showRecipientErrors(form, recipients, result.fields);
    showFieldErrors(form, others, askedFields(countries, billing.parts.country));
  });
  const asked = askedFields(countries, form.getValues("parts.country"));

  if (shown === null) return <CheckoutSkeleton />;
  if (shown.lines.length === 0 && !placeOrder.busy) {
    return (
      <NothingToOrder>
        <OrderError outcome={placeOrder.outcome} retry={placeOrder.retry} asked={asked} />
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
        {children}
        <BillingFields form={form} email={user && (user.email ?? "")} split={split} />
        <GiftCardRecipients
          form={form}
          lines={gifts}
          hasEmail={(user?.email ?? form.watch("email")).trim() !== ""}
        />
        <DeliveryChoice quote={shown.quoted.quote} fixed={placeOrder.busy} />
        <PaymentChoice
          form={form}
          covered={covered}
          amount={
            quote?.currency === currency && rest !== null ? minus(rest, credit, currency) : null
          }
          isPickup={isPickup(quote)}
          cashFee={covered || quote?.currency !== currency ? 0 : cashFee(quote)}
        >
          <GiftCardSection
            giftCards={giftCards}
            currency={currency}
            left={rest}
            fixed={placeOrder.busy}
          />
          {!(giftCards.paid > 0 && rest === 0) && (
            <CreditChoice form={form} balance={balance} left={leftAfter(pays, rest, quote)} />
          )}
        </PaymentChoice>
      </div>
      <OrderSummary
        lines={shown.lines}
        quoted={shown.quoted}
        giftCards={shown.cards}
        credit={shown.credit}
        fixed={placeOrder.busy}
      >
        {failed && !placeOrder.busy && <NoTotal retry={quoted.retry} />}
        <div className={styles.end}>
          <OrderError outcome={placeOrder.outcome} retry={placeOrder.retry} asked={asked} />
          {sold && (
            <>
              <p className={styles.small}>{m.nothingLeft()}</p>
              <ButtonLink href={localUrl("/cart")}>{m.backToCart()}</ButtonLink>
            </>
          )}
          {needsCode && (
            <PhoneCodeField
              to={{ phone: codeSentTo, country: form.getValues("parts.country") }}
              error={form.formState.errors.phoneCode?.message}
              {...form.register("phoneCode")}
            />
          )}
          {nowhere && <p className={styles.nowhere}>{cart.undeliverable()}</p>}
          {!sold && !nowhere && (
            <SubmitButton busy={placeOrder.busy || (!ready && !failed)}>
              {isPaidElsewhere(payment) ? m.continueToPayment() : m.placeOrder()}
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
function startingWith(user: User | null, split: boolean, countries: CountryName[]): Billing {
  const sent = pendingAttempt(user?.uid ?? "")?.order;
  const name = sent?.name ?? user?.displayName ?? "";
  const { first, last } = splitName(name);
  return {
    name: split ? first : name,
    lastName: split ? last : "",
    phone: sent?.phone ?? "",
    email: sent?.email ?? "",
    phoneCode: "",
    address: typeof sent?.address === "string" ? sent.address : "",
    parts: sent ? sentParts(sent.address, countries) : destinationParts(countries),
    payment: sent?.payment ?? "cash_on_delivery",
    recipients: typedRecipients(sent?.giftCardRecipients),
    credit: (sent?.credit ?? 0) > 0,
  };
}

// Of the same attempt: its codes are kept nowhere else.
function giftCardCodes(user: User | null): string[] {
  return pendingAttempt(user?.uid ?? "")?.order.giftCards?.map(({ code }) => code) ?? [];
}

function cardPayments(cards: CardPart[]): GiftCardPayment[] {
  return cards.filter(({ amount }) => amount > 0).map(({ code, amount }) => ({ code, amount }));
}

// As chosen in the cart.
function destinationParts(countries: CountryName[]): TypedParts {
  const { destination } = fitChoice(deliveryChoice.get(), countries);
  return { ...emptyParts(countries[0]?.code), ...destination };
}

function withoutFee({ totalWithoutFee, currency }: Quote): Pick<Quote, "total" | "currency"> {
  return { total: totalWithoutFee, currency };
}

// What is left to pay after store credit, with the fee that is then charged and its tax. Null while unknown.
function leftAfter(pays: number | null, rest: number | null, quote: Quote | null): number | null {
  if (pays === null || rest === null || quote === null) return null;
  const { total, totalWithoutFee, currency } = quote;
  const left = minus(rest, pays, currency);
  return left === 0 ? 0 : sum([left, minus(total, totalWithoutFee, currency)], currency);
}

// What cash on delivery costs by the charged method.
function cashFee(quote: Quote | null): number {
  const method = quote?.deliveries.find(({ id }) => id === quote.delivery);
  return quote === null || withoutFee(quote).total === 0 ? 0 : (method?.cashOnDeliveryFee ?? 0);
}

function isPickup(quote: Quote | null): boolean {
  const method = quote?.deliveries.find(({ id }) => id === quote.delivery);
  return method?.pickup != null;
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

// What became of codes that were applied before.
function RefusedCodes({ quote: { codes, currency } }: { quote: Quote }) {
  return (
    <ul className={styles.changes}>
      {codes.map(
        ({ code, reason }) =>
          reason && (
            <li key={code}>{m.codeRefused({ code, reason: refusalSentence(reason, currency) })}</li>
          ),
      )}
    </ul>
  );
}

// `asked`: the fields that the form has.
type OrderErrorProps = { outcome: PlaceOrderResult | null; retry: () => void; asked: string[] };

function OrderError({ outcome, retry, asked }: OrderErrorProps) {
  if (outcome === null) return null;
  if (outcome.kind === "placed" || outcome.kind === "awaitsPayment") return null;
  // Shown at its field.
  if (outcome.kind === "codeRequired" && outcome.tried) return null;
  // Shown at the fields.
  const isAsked = ({ name }: { name: string }) =>
    asked.includes(name) || /^giftCardRecipients\.\d+\.(email|sendOn)$/.test(name);
  if (outcome.kind === "invalid" && outcome.fields.every(isAsked)) return null;
  return (
    <div className={styles.error} role="alert" data-kind={outcome.kind}>
      {outcome.kind === "changed" && (
        <>
          <p>{m.notOrderedAfter({ strong, message: changeMessage(outcome.cart) })}</p>
          <Changes />
          <RefusedCodes quote={outcome.cart.quote} />
          {!outcome.cart.quote.undeliverable && <p>{m.orderAgain()}</p>}
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
      {"message" in outcome && outcome.kind !== "unproven" && <p>{outcome.message}</p>}
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
