import type { OrderNow } from "../../lib/api.gen";
import { type Cents, cents, format, minus, times } from "../../lib/money";
import { PAYMENT_WORDS } from "../../lib/orders/course";
import { useShop } from "../../lib/shop";
import { PAYMENT_NAMES } from "../payment-marks";
import styles from "./invoice.module.css";

// The order's own numbers, in its own currency at its own rate: nothing of this changes with the shop.
export function Invoice({ order }: { order: OrderNow }) {
  const { shop } = useShop();
  const money = (amount: Cents) => format(amount, order.currency, order.rate);
  return (
    <article className={styles.invoice} aria-label={`Invoice ${order.number}`}>
      <div className={styles.head}>
        <div>
          <p className={styles.shop}>{shop.name}</p>
          <address>
            {[shop.address, shop.email, shop.phone].filter(Boolean).map((line) => (
              <div key={line}>{line}</div>
            ))}
          </address>
        </div>
        <h2>Invoice</h2>
      </div>
      <div className={styles.parties}>
        <section aria-labelledby="billed-to">
          <h3 id="billed-to">Billed to</h3>
          <p className={styles.name}>{order.name}</p>
          <p className={styles.address}>{order.address}</p>
          <p>{order.phone}</p>
        </section>
        <dl className={styles.facts}>
          <Fact name="Order number" value={order.number} />
          <Fact name="Date" value={order.createdAt.slice(0, 10)} />
          <Fact name="Payment method" value={PAYMENT_NAMES[order.payment.provider]} />
          <Fact name="Payment" value={PAYMENT_WORDS[order.payment.state]} />
        </dl>
      </div>
      <table className={styles.items}>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Qty</th>
            <th scope="col">Price</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {order.lines.map((line) => (
            <tr key={line._id}>
              <th scope="row">
                {line.name}
                <small>{line._id}</small>
              </th>
              <td>{line.qtn}</td>
              <td>
                {line.qtn} × {money(cents(line.buyPrice))}
              </td>
              <td>{money(times(cents(line.buyPrice), line.qtn))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className={styles.totals}>
        <Fact name="Sub Total" value={money(cents(order.subTotal))} />
        <Fact name="Shipping" value={money(cents(order.shipping))} />
        <Fact name="VAT" value={money(cents(order.vat))} />
        <Fact name="Invoice total" value={money(cents(order.total))} />
        {order.credit > 0 && (
          <>
            <Fact name="Store credit" value={`−${money(cents(order.credit))}`} />
            <Fact name="To pay" value={money(minus(cents(order.total), cents(order.credit)))} />
          </>
        )}
      </dl>
    </article>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
