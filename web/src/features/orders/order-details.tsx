import FileText from "lucide-react/icons/file-text";
import Package from "lucide-react/icons/package";
import ShoppingBag from "lucide-react/icons/shopping-bag";
import * as cart from "messages/cart";
import * as common from "messages/common";
import * as m from "messages/orders";
import { useCallback, useState } from "react";
import { errorMessage } from "../../lib/api";
import type { ErrorDetail, OrderLine, OrderNow, OrderReturn } from "../../lib/api.gen";
import { localUrl } from "../../lib/language";
import { format, sum } from "../../lib/money";
import { formatNumber } from "../../lib/numbers";
import { toast } from "../../lib/toast";
import { productUrl, trackUrl, variantUrl } from "../../lib/urls";
import { useAsync } from "../../lib/use-async";
import { Button, ButtonLink } from "../../ui/button";
import { EmptyState, LoadError } from "../../ui/empty-state";
import { Picture } from "../../ui/picture";
import { smallPicture } from "../../ui/picture-sources";
import { Skeleton } from "../../ui/skeleton";
import { hidden } from "../../ui/visually-hidden";
import { type DiscountRow, discountsOf } from "../cart/discount-rows";
import { shippingLabel } from "../cart/shipping-label";
import { type TaxRow, taxesOf } from "../cart/tax-rows";
import { VariantOptions, variantName } from "../catalog/variant-options";
import { Arrival } from "../delivery/arrival";
import { PayLink } from "../payment/pay-link";
import { REVIEWS } from "../reviews/review-api";
import { buyAgain, type ReorderResult, reorderMessage } from "./internal/buy-again";
import { InvoiceDialog } from "./internal/invoice-dialog";
import { OrderActions } from "./internal/order-actions";
import { OrderPayments } from "./internal/order-payments";
import { SoldGiftCards } from "./internal/sold-gift-cards";
import { PaymentBadge, StatusBadge } from "./internal/status-badge";
import styles from "./order-details.module.css";
import { canReview, statusText } from "./order-status";
import { OrderTimeline } from "./order-timeline";
import { getOrder, leftToPay } from "./orders-api";

const MISSING = "missing";

async function load(number: string): Promise<OrderNow | typeof MISSING> {
  try {
    return await getOrder(number);
  } catch (why) {
    if ((why as ErrorDetail).code === "not_found") return MISSING;
    throw why;
  }
}

export default function OrderDetailsPanel({ number }: { number: string }) {
  const ask = useCallback(() => load(number), [number]);
  const { value: order, failed, retry, replace } = useAsync(ask);
  if (failed) return <LoadError title={m.orderNotLoaded()} retry={retry} />;
  if (order === null) return <OrderSkeleton />;
  if (order === MISSING) return <NoSuchOrder />;
  return <OrderView order={order} changed={replace} />;
}

function NoSuchOrder() {
  return (
    <EmptyState
      icon={<Package size={48} strokeWidth={1} aria-hidden />}
      title={m.noSuchOrder()}
      heading
    >
      <p>{m.noSuchOrderText()}</p>
      <ButtonLink href={localUrl("/account/orders")}>{m.purchaseHistory()}</ButtonLink>
    </EmptyState>
  );
}

function OrderSkeleton() {
  return (
    <div className={styles.order} aria-busy>
      <Skeleton width="18rem" height="1.75rem" />
      <div className={styles.columns}>
        <div className={styles.main}>
          <Skeleton height="24rem" />
          <Skeleton height="10rem" />
        </div>
        <Skeleton height="24rem" />
      </div>
    </div>
  );
}

type OrderViewProps = { order: OrderNow; changed: (now: OrderNow) => void };

function OrderView({ order, changed }: OrderViewProps) {
  return (
    <div className={styles.order}>
      <div className={styles.lead}>
        <p className={styles.words}>{statusText(order)}</p>
        <p className={styles.marks}>
          <StatusBadge status={order.status} />
          <PaymentBadge order={order} />
        </p>
        <PayLink button order={order} />
      </div>
      <div className={styles.columns}>
        <div className={styles.main}>
          <Items order={order} />
          <SoldGiftCards order={order} />
          <Delivery order={order} />
        </div>
        <aside className={styles.aside} aria-label={m.whereAndWhat()}>
          <section className={styles.card} aria-labelledby="order-course">
            <h2 id="order-course">{m.whereItIs()}</h2>
            <OrderTimeline history={order.history} paymentStatus={order.paymentStatus} />
            <a className={styles.track} href={trackUrl(order.number)}>
              {m.trackSignedOut()}
            </a>
          </section>
          <Actions order={order} changed={changed} />
        </aside>
      </div>
    </div>
  );
}

function Items({ order }: { order: OrderNow }) {
  const reviewed = canReview(order);
  return (
    <section className={styles.card} aria-labelledby="order-items">
      <h2 id="order-items">{m.whatYouBought()}</h2>
      <ul>
        {order.lines.map((line) => (
          <Item key={line._id} order={order} line={line} reviewed={reviewed} />
        ))}
      </ul>
      <Amounts order={order} />
    </section>
  );
}

type ItemProps = { order: OrderNow; line: OrderLine; reviewed: boolean };

function Item({ order, line, reviewed }: ItemProps) {
  const money = (amount: number) => format(amount, order.currency);
  return (
    <li className={styles.item}>
      <Picture
        picture={smallPicture(line.picture)}
        name=""
        sizes="96px"
        widest={160}
        loading="eager"
      />
      <div>
        <a className={styles.name} href={variantUrl(line)}>
          {line.name}
        </a>
        <VariantOptions options={line.options} />
        <p className={styles.price}>
          {formatNumber(line.qtn)} × {money(line.buyPrice)}
        </p>
        <Returned order={order} id={line._id} />
        {reviewed && (
          <a className={styles.review} href={`${productUrl(line.product)}#${REVIEWS}`}>
            {m.review({ hidden, name: variantName(line) })}
          </a>
        )}
      </div>
      <p className={styles.total}>{money(line.total)}</p>
    </li>
  );
}

const RETURN_TEXTS: Record<OrderReturn["state"], (of: { count: number }) => string> = {
  requested: m.lineReturnRequested,
  received: m.lineReturned,
  refused: m.lineReturnRefused,
  refunded: m.lineRefunded,
};

// The state of a line's returned units.
function Returned({ order, id }: { order: OrderNow; id: string }) {
  return order.returns.map(({ state, requestedAt, lines }) => {
    const line = lines.find(({ _id }) => _id === id);
    return (
      line && (
        <p key={requestedAt} className={styles.returned}>
          {RETURN_TEXTS[state]({ count: line.qtn })}
        </p>
      )
    );
  });
}

// The order's amounts, in its currency.
function Amounts({ order }: { order: OrderNow }) {
  const { subTotal, shipping, paymentFee, total, giftCards, credit, currency, delivery } = order;
  const toPay = leftToPay(order);
  const money = (amount: number) => format(amount, currency);
  const refunds = order.returns.flatMap(({ giftCards, credit, paid }) => [giftCards, credit, paid]);
  const given = sum(refunds, currency);
  const discounts = discountsOf(order);
  const taxes = taxesOf(order);
  const tax = ({ name, amount }: TaxRow) => <Fact key={name} name={name} value={money(amount)} />;
  const rows = (all: DiscountRow[]) =>
    all.map(({ promotion, label, amount }) => (
      <Fact key={promotion} name={label} value={`−${money(-amount)}`} />
    ));
  return (
    <dl className={styles.amounts}>
      <Fact name={cart.subTotal()} value={money(subTotal)} />
      {rows(discounts.goods)}
      <Fact
        name={shippingLabel(delivery?.name)}
        value={shipping === 0 ? cart.free() : money(shipping)}
      />
      {rows(discounts.delivery)}
      {paymentFee > 0 && <Fact name={common.cashOnDelivery()} value={money(paymentFee)} />}
      {taxes.added.map(tax)}
      <Fact name={cart.total()} value={money(total)} total />
      {taxes.included.map(tax)}
      {giftCards.map(({ lastFour, amount }, place) => (
        <Fact
          // biome-ignore lint/suspicious/noArrayIndexKey: two may end alike, and they never change.
          key={place}
          name={common.giftCardEnding({ lastFour })}
          value={`−${money(amount)}`}
        />
      ))}
      {credit > 0 && <Fact name={common.storeCredit()} value={`−${money(credit)}`} />}
      {toPay !== total && <Fact name={cart.toPay()} value={money(toPay)} total />}
      {given > 0 && <Fact name={m.givenBack()} value={money(given)} />}
    </dl>
  );
}

type FactProps = { name: string; value: string; total?: boolean };

function Fact({ name, value, total }: FactProps) {
  return (
    <div data-total={total}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Delivery({ order }: { order: OrderNow }) {
  return (
    <div className={styles.facts}>
      <section className={styles.card} aria-labelledby="order-delivery">
        <h2 id="order-delivery">{m.deliveryAddress()}</h2>
        <p className={styles.person}>{order.name}</p>
        <p className={styles.address}>{order.address}</p>
        <p>{order.phone}</p>
      </section>
      <section className={styles.card} aria-labelledby="order-payment">
        <h2 id="order-payment">{m.payment()}</h2>
        <OrderPayments order={order} />
        {order.invoices.map(({ kind, number }) => (
          <p key={number} className={styles.issued}>
            {kind === "invoice" ? m.issuedInvoice({ number }) : m.issuedCreditNote({ number })}
          </p>
        ))}
      </section>
      {order.delivery && (
        <section className={`${styles.card} ${styles.wide}`} aria-labelledby="order-method">
          <h2 id="order-method">{cart.delivery()}</h2>
          <p>{order.delivery.name}</p>
          <p className={styles.arrival}>
            <Arrival delivery={order.delivery} />
          </p>
        </section>
      )}
    </div>
  );
}

function Actions({ order, changed }: OrderViewProps) {
  const [invoice, setInvoice] = useState(false);
  return (
    <div className={styles.actions}>
      <BuyAgain lines={order.lines} quiet={order.payUrl !== null} />
      <Button quiet aria-haspopup="dialog" onClick={() => setInvoice(true)}>
        <FileText size={18} strokeWidth={1.5} aria-hidden />
        {m.invoice()}
      </Button>
      <OrderActions order={order} changed={changed} />
      <InvoiceDialog number={order.number} open={invoice} onClose={() => setInvoice(false)} />
    </div>
  );
}

// Quiet: beside the button to pay.
function BuyAgain({ lines, quiet }: { lines: OrderLine[]; quiet: boolean }) {
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<ReorderResult | null>(null);

  async function add() {
    if (busy) return;
    setBusy(true);
    try {
      setDone(await buyAgain(lines));
    } catch (why) {
      toast.error(errorMessage(why));
    }
    setBusy(false);
  }

  return (
    <div className={styles.again}>
      <Button quiet={quiet} aria-busy={busy} onClick={() => void add()}>
        <ShoppingBag size={18} strokeWidth={1.5} aria-hidden />
        {m.buyAgain()}
      </Button>
      <div role="status" className={styles.bought}>
        {done !== null && (
          <>
            {reorderMessage(done)}{" "}
            {done.added > 0 && <a href={localUrl("/cart")}>{m.toTheCart()}</a>}
          </>
        )}
      </div>
    </div>
  );
}
