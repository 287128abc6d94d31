import Package from "lucide-react/icons/package";
import type { OrderNow } from "../../lib/api.gen";
import { cents, format } from "../../lib/money";
import { useMoney } from "../../lib/shop-context";
import { pluralize } from "../../lib/text";
import { orderUrl } from "../../lib/urls";
import { useAsync } from "../../lib/use-async";
import { ButtonLink } from "../../ui/button";
import { EmptyState, LoadError } from "../../ui/empty-state";
import { Skeleton } from "../../ui/skeleton";
import styles from "./dashboard.module.css";
import { PaymentBadge, StatusBadge } from "./internal/status-badge";
import { type OrderStats, orderStats } from "./order-status";
import { allOrders, getOrder } from "./orders-api";

const RECENT = 5;

type Overview = { figures: OrderStats; recent: OrderNow[] };

async function overview(): Promise<Overview> {
  const orders = await allOrders();
  const recent = orders.slice(0, RECENT).map(({ number }) => getOrder(number));
  return { figures: orderStats(orders), recent: await Promise.all(recent) };
}

export function Dashboard({ name }: { name: string }) {
  const { value, failed, retry } = useAsync(overview);
  return (
    <>
      <p className={styles.hello}>Good to see you, {name}.</p>
      {failed && <LoadError what="Your orders" retry={retry} />}
      {!failed && value === null && <OrdersSkeleton />}
      {value?.recent.length === 0 && <NoOrders />}
      {value !== null && value.recent.length > 0 && <Summary overview={value} />}
    </>
  );
}

function Summary({ overview: { figures, recent } }: { overview: Overview }) {
  const money = useMoney();
  return (
    <>
      <dl className={styles.figures}>
        <Figure name="Orders" value={String(figures.orders)} />
        <Figure name="Total spent" value={money(figures.spent)} />
        <Figure name="On the way" value={String(figures.onTheWay)} />
      </dl>
      <section aria-labelledby="recent">
        <div className={styles.head}>
          <h2 id="recent">Recent orders</h2>
          <a href="/account/orders">Purchase History</a>
        </div>
        <ul>
          {recent.map((order) => (
            <Recent key={order.number} order={order} />
          ))}
        </ul>
      </section>
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Recent({ order }: { order: OrderNow }) {
  const units = order.lines.reduce((sum, line) => sum + line.qtn, 0);
  return (
    <li className={styles.order}>
      <div>
        <a className={styles.number} href={orderUrl(order.number)}>
          {order.number}
        </a>
        <p className={styles.small}>
          {order.createdAt.slice(0, 10)} · {pluralize(units, "item", "items")}
        </p>
      </div>
      <StatusBadge status={order.status} />
      <PaymentBadge state={order.payment.state} />
      <p className={styles.amount}>{format(cents(order.total), order.currency, order.rate)}</p>
    </li>
  );
}

export function NoOrders() {
  return (
    <EmptyState icon={<Package size={48} strokeWidth={1} aria-hidden />} title="No orders yet">
      <p>What you buy stands here, with its invoice and where it is.</p>
      <ButtonLink href="/">Browse the products</ButtonLink>
    </EmptyState>
  );
}

export function OrdersSkeleton() {
  return (
    <div className={styles.waiting}>
      <Skeleton height="7rem" />
      <Skeleton height="20rem" />
    </div>
  );
}
