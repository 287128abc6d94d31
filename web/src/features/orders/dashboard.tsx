import Package from "lucide-react/icons/package";
import * as common from "messages/common";
import * as m from "messages/orders";
import type { OrderNow } from "../../lib/api.gen";
import { longDate } from "../../lib/dates";
import { localUrl } from "../../lib/language";
import { format } from "../../lib/money";
import { formatNumber } from "../../lib/numbers";
import { useShop } from "../../lib/shop-context";
import { orderUrl } from "../../lib/urls";
import { useAsync } from "../../lib/use-async";
import { ButtonLink } from "../../ui/button";
import { EmptyState, LoadError } from "../../ui/empty-state";
import { Skeleton } from "../../ui/skeleton";
import { PayLink } from "../payment/pay-link";
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
      <p className={styles.hello}>{m.hello({ name })}</p>
      {failed && <LoadError title={m.ordersNotLoaded()} retry={retry} />}
      {!failed && value === null && <OrdersSkeleton />}
      {value?.recent.length === 0 && <NoOrders />}
      {value !== null && value.recent.length > 0 && <Summary overview={value} />}
    </>
  );
}

function Summary({ overview: { figures, recent } }: { overview: Overview }) {
  const { currency } = useShop();
  const spent = figures.spent.map(({ amount, currency }) => format(amount, currency));
  return (
    <>
      <dl className={styles.figures}>
        <Figure name={m.orders()} value={formatNumber(figures.orders)} />
        <Figure name={m.totalSpent()} value={spent.join(" + ") || format(0, currency)} />
        <Figure name={m.onTheWay()} value={formatNumber(figures.onTheWay)} />
      </dl>
      <section aria-labelledby="recent">
        <div className={styles.head}>
          <h2 id="recent">{m.recentOrders()}</h2>
          <a href={localUrl("/account/orders")}>{m.purchaseHistory()}</a>
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
          {m.dateAndItems({ date: longDate(order.createdAt), count: units })}
        </p>
        <PayLink className={styles.number} order={order} />
      </div>
      <StatusBadge status={order.status} />
      <PaymentBadge order={order} />
      <p className={styles.amount}>{format(order.total, order.currency)}</p>
    </li>
  );
}

export function NoOrders() {
  return (
    <EmptyState icon={<Package size={48} strokeWidth={1} aria-hidden />} title={m.none()}>
      <p>{m.noneText()}</p>
      <ButtonLink href={localUrl("/")}>{common.browseProducts()}</ButtonLink>
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
