import { useCallback, useRef, useState } from "react";
import type { ListedOrder, OrderNow } from "../../lib/api.gen";
import { useLoaded } from "../../lib/loaded";
import { type Cents, cents, format, minus } from "../../lib/money";
import { listOrders, type OrderPage } from "../../lib/orders/book";
import { Button } from "../../ui/button";
import { Failed } from "../../ui/empty";
import { LoadMore } from "../load-more";
import { NoOrders, Waiting } from "./dashboard";
import { InvoiceDialog } from "./invoice-dialog";
import styles from "./purchase-history.module.css";
import { StatusMark } from "./status-mark";

const AT_ONCE = 10;
const first = () => listOrders(AT_ONCE);

export function PurchaseHistory() {
  const { value: page, failed, retry, replace } = useLoaded(first);

  async function more({ orders, next }: OrderPage) {
    const following = await listOrders(AT_ONCE, next);
    replace({ ...following, orders: [...orders, ...following.orders] });
  }

  if (failed) return <Failed what="Your orders" retry={retry} />;
  if (page === null) return <Waiting />;
  if (page.orders.length === 0) return <NoOrders />;
  return (
    <>
      <Orders
        orders={page.orders}
        changed={(now) =>
          replace({
            ...page,
            orders: page.orders.map((order) =>
              order.number === now.number ? { ...order, status: now.status } : order,
            ),
          })
        }
      />
      {page.next !== null && <LoadMore what="orders" load={() => more(page)} />}
    </>
  );
}

// What of it was paid with store credit, and what was left.
function PaidWith({ order: { total, credit, currency, rate } }: { order: ListedOrder }) {
  const money = (amount: Cents) => format(amount, currency, rate);
  return (
    <small className={styles.with}>
      Store credit −{money(cents(credit))}
      <br />
      To pay {money(minus(cents(total), cents(credit)))}
    </small>
  );
}

type OrdersProps = { orders: ListedOrder[]; changed: (now: OrderNow) => void };

function Orders({ orders, changed }: OrdersProps) {
  // The last one stays while its dialog goes.
  const [number, setNumber] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const latest = useRef(changed);
  latest.current = changed;
  const onChange = useCallback((now: OrderNow) => latest.current(now), []);

  function show(order: ListedOrder) {
    setNumber(order.number);
    setOpen(true);
  }

  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Order</th>
            <th scope="col">Date</th>
            <th scope="col">Status</th>
            <th scope="col">Amount</th>
            <th scope="col">Invoice</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.number} className={styles.row}>
              <th className={styles.number} scope="row">
                {order.number}
              </th>
              <td className={styles.date}>{order.createdAt.slice(0, 10)}</td>
              <td className={styles.status}>
                <StatusMark status={order.status} />
              </td>
              <td className={styles.amount}>
                {format(cents(order.total), order.currency, order.rate)}
                {order.credit > 0 && <PaidWith order={order} />}
              </td>
              <td className={styles.open}>
                <Button
                  quiet
                  aria-label={`Invoice of order ${order.number}`}
                  aria-haspopup="dialog"
                  onClick={() => show(order)}
                >
                  Invoice
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {number !== null && (
        <InvoiceDialog
          key={number}
          number={number}
          open={open}
          onClose={() => setOpen(false)}
          onChange={onChange}
        />
      )}
    </>
  );
}
