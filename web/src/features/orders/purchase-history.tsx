import * as common from "messages/common";
import * as m from "messages/orders";
import { useState } from "react";
import type { ListedOrder, OrderLine } from "../../lib/api.gen";
import { longDate } from "../../lib/dates";
import { format, sum } from "../../lib/money";
import { formatNumber } from "../../lib/numbers";
import { orderUrl } from "../../lib/urls";
import { useAsync } from "../../lib/use-async";
import { Button } from "../../ui/button";
import { LoadError } from "../../ui/empty-state";
import { LoadMore } from "../../ui/load-more";
import { Picture } from "../../ui/picture";
import { smallPicture } from "../../ui/picture-sources";
import { Table } from "../../ui/table";
import { variantName } from "../catalog/variant-options";
import { PayLink } from "../payment/pay-link";
import { NoOrders, OrdersSkeleton } from "./dashboard";
import { InvoiceDialog } from "./internal/invoice-dialog";
import { PaymentBadge, StatusBadge } from "./internal/status-badge";
import { leftToPay, listOrders, type OrderList } from "./orders-api";
import styles from "./purchase-history.module.css";

const AT_ONCE = 10;
const PICTURES = 3;
const NAMES = 2;
const COLUMNS = [m.order, common.products, m.status, m.amount, m.invoice];
const first = () => listOrders(AT_ONCE);

export function PurchaseHistory() {
  const { value: page, failed, retry, replace } = useAsync(first);

  async function more({ orders, next }: OrderList) {
    const following = await listOrders(AT_ONCE, next);
    replace({ ...following, orders: [...orders, ...following.orders] });
  }

  if (failed) return <LoadError title={m.ordersNotLoaded()} retry={retry} />;
  if (page === null) return <OrdersSkeleton />;
  if (page.orders.length === 0) return <NoOrders />;
  return (
    <>
      <Orders orders={page.orders} />
      {page.next !== null && <LoadMore failure={m.moreNotLoaded()} load={() => more(page)} />}
    </>
  );
}

// The parts paid with gift cards and store credit, and the rest.
function PaidWith({ order }: { order: ListedOrder }) {
  const { giftCards, credit, currency } = order;
  const money = (amount: number) => format(amount, currency);
  const amounts = giftCards.map(({ amount }) => amount);
  return (
    <small className={styles.with}>
      {amounts.length > 0 && (
        <>
          {m.paidWithGiftCards({ amount: money(sum(amounts, currency)) })}
          <br />
        </>
      )}
      {credit > 0 && (
        <>
          {m.paidWithCredit({ amount: money(credit) })}
          <br />
        </>
      )}
      {m.leftToPay({ amount: money(leftToPay(order)) })}
    </small>
  );
}

function Orders({ orders }: { orders: ListedOrder[] }) {
  // The last one stays mounted while its dialog closes.
  const [number, setNumber] = useState<string | null>(null);
  const [open, setOpen] = useState(false);

  function show(order: ListedOrder) {
    setNumber(order.number);
    setOpen(true);
  }

  return (
    <>
      <Table columns={COLUMNS.map((name) => name())} className={styles.table}>
        {orders.map((order) => (
          <Row key={order.number} order={order} onInvoice={() => show(order)} />
        ))}
      </Table>
      {number !== null && (
        <InvoiceDialog key={number} number={number} open={open} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

type RowProps = { order: ListedOrder; onInvoice: () => void };

function Row({ order, onInvoice }: RowProps) {
  return (
    <tr className={styles.row}>
      <th className={styles.order} scope="row">
        <a className={styles.number} href={orderUrl(order.number)}>
          {order.number}
        </a>
        <span className={styles.date}>{longDate(order.createdAt)}</span>
      </th>
      <td className={styles.products}>
        <Products lines={order.lines} />
      </td>
      <td className={styles.status}>
        <div className={styles.names}>
          <StatusBadge status={order.status} />
          <PaymentBadge order={order} />
        </div>
      </td>
      <td className={styles.amount}>
        {format(order.total, order.currency)}
        {leftToPay(order) !== order.total && <PaidWith order={order} />}
      </td>
      <td className={styles.open}>
        {order.payUrl === null ? (
          <Button
            quiet
            aria-label={m.invoiceOf({ number: order.number })}
            aria-haspopup="dialog"
            onClick={onInvoice}
          >
            {m.invoice()}
          </Button>
        ) : (
          <PayLink button order={order} />
        )}
      </td>
    </tr>
  );
}

function Products({ lines }: { lines: OrderLine[] }) {
  const named = lines.slice(0, NAMES);
  const rest = lines.length - named.length;
  return (
    <div className={styles.shown}>
      <div className={styles.pictures} aria-hidden>
        {lines.slice(0, PICTURES).map((line) => (
          <Picture
            key={line._id}
            picture={smallPicture(line.picture)}
            name=""
            sizes="56px"
            widest={160}
            loading="eager"
          />
        ))}
      </div>
      <p className={styles.names}>
        {named.map((line) => (
          <span key={line._id}>
            {line.qtn > 1 && `${formatNumber(line.qtn)} × `}
            {variantName(line)}
          </span>
        ))}
        {rest > 0 && <span className={styles.rest}>{m.andMore({ count: rest })}</span>}
      </p>
    </div>
  );
}
