import Package from "lucide-react/icons/package";
import type { OrderNow } from "../../lib/api.gen";
import { useLoaded } from "../../lib/loaded";
import { cents, format } from "../../lib/money";
import { allOrders, getOrder } from "../../lib/orders/book";
import { type Figures, figures } from "../../lib/orders/course";
import { useMoney } from "../../lib/shop";
import { count } from "../../lib/text";
import { orderUrl } from "../../lib/urls";
import { ButtonLink } from "../../ui/button";
import { Empty, Failed } from "../../ui/empty";
import { Skeleton } from "../../ui/skeleton";
import styles from "./dashboard.module.css";
import { PaymentMood, StatusMark } from "./status-mark";

const RECENT = 5;

type Overview = { figures: Figures; recent: OrderNow[] };

async function overview(): Promise<Overview> {
  const orders = await allOrders();
  const recent = orders.slice(0, RECENT).map(({ number }) => getOrder(number));
  return { figures: figures(orders), recent: await Promise.all(recent) };
}

export function Dashboard({ name }: { name: string }) {
  const { value, failed, retry } = useLoaded(overview);
  return (
    <>
      <p className={styles.hello}>Good to see you, {name}.</p>
      {failed && <Failed what="Your orders" retry={retry} />}
      {!failed && value === null && <Waiting />}
      {value?.recent.length === 0 && <NoOrders />}
      {value !== null && value.recent.length > 0 && <Known overview={value} />}
    </>
  );
}

function Known({ overview: { figures, recent } }: { overview: Overview }) {
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
        <ul className={styles.recent}>
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
          {order.createdAt.slice(0, 10)} · {count(units, "item", "items")}
        </p>
      </div>
      <StatusMark status={order.status} />
      <PaymentMood state={order.payment.state} />
      <p className={styles.amount}>{format(cents(order.total), order.currency, order.rate)}</p>
    </li>
  );
}

export function NoOrders() {
  return (
    <Empty icon={<Package size={48} strokeWidth={1} aria-hidden />} title="No orders yet">
      <p>What you buy stands here, with its invoice and where it is.</p>
      <ButtonLink href="/">Browse the products</ButtonLink>
    </Empty>
  );
}

export function Waiting() {
  return (
    <div className={styles.waiting}>
      <Skeleton height="7rem" />
      <Skeleton height="20rem" />
    </div>
  );
}
