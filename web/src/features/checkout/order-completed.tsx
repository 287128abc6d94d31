import PackageCheck from "lucide-react/icons/package-check";
import { useEffect } from "react";
import { type Cents, cents, format, minus } from "../../lib/money";
import { focusHeading } from "../../lib/navigation";
import { NO_EMAIL, useShop } from "../../lib/shop-context";
import { orderUrl, trackUrl } from "../../lib/urls";
import { ButtonLink } from "../../ui/button";
import { Picture } from "../../ui/picture";
import { smallPicture } from "../../ui/picture-sources";
import { Skeleton } from "../../ui/skeleton";
import { useAuth } from "../auth/auth";
import { type LastOrder, type LastOrderLine, useLastOrder } from "./internal/last-order";
import styles from "./order-completed.module.css";

// Shown only to the customer who placed it: another one may be signed in by now.
export function OrderCompleted() {
  const placed = useLastOrder();
  const { user, loading } = useAuth();
  if (placed === undefined) return <Unknown />;
  const owned = user === null ? loading : user.email?.toLowerCase() === placed?.email;
  return placed === null || !owned ? <None /> : <Thanks placed={placed} />;
}

// Server markup is the same for everyone.
function Unknown() {
  return (
    <div className={styles.completed}>
      <h1>Order Completed</h1>
      <p className="without-js">Showing what you have ordered needs JavaScript.</p>
      <div className={`with-js ${styles.place}`}>
        <Skeleton height="16rem" />
      </div>
    </div>
  );
}

function None() {
  return (
    <div className={styles.completed}>
      <h1>There is no order to show</h1>
      <p className={styles.lead}>
        Nothing was ordered in this window. What you have ordered before is in your account.
      </p>
      <p className={styles.ways}>
        <ButtonLink href="/cart">To the cart</ButtonLink>
        <ButtonLink href="/account/orders" quiet>
          Purchase History
        </ButtonLink>
      </p>
    </div>
  );
}

function Thanks({ placed }: { placed: LastOrder }) {
  const { number, email, total, credit, currency, rate, payment } = placed;
  const { sendsEmail } = useShop().shop;
  const money = (amount: Cents) => format(amount, currency, rate);
  // The popup that had the focus is closed.
  useEffect(focusHeading, []);
  return (
    <div className={styles.completed}>
      <PackageCheck className={styles.icon} size={56} strokeWidth={1} aria-hidden />
      <h1>Your Order Has Been Completed</h1>
      <p className={styles.lead}>Thank you. We are on it.</p>
      <dl className={styles.facts}>
        <div>
          <dt>Order number</dt>
          <dd>{number}</dd>
        </div>
        <div>
          <dt>Total</dt>
          <dd>{money(cents(total))}</dd>
        </div>
        {credit > 0 && (
          <>
            <div>
              <dt>From store credit</dt>
              <dd>{money(cents(credit))}</dd>
            </div>
            <div>
              <dt>To pay</dt>
              <dd>{money(minus(cents(total), cents(credit)))}</dd>
            </div>
          </>
        )}
      </dl>
      <Bought lines={placed.lines} />
      <h2>What happens next</h2>
      <ol className={styles.next}>
        {sendsEmail ? (
          <li>An e-mail with all of this is on its way to {email}.</li>
        ) : (
          <li>{NO_EMAIL} Please note the number: it leads to your order, as does your account.</li>
        )}
        <li>
          We pack your order{sendsEmail && ", and write again when it is handed to the courier"}.
        </li>
        <li>
          {payment === "cash_on_delivery" && "You pay the courier at your door. "}
          Until it is packed you can still cancel it.
        </li>
      </ol>
      <p className={styles.ways}>
        <ButtonLink href={trackUrl(number)}>Track my order</ButtonLink>
        <ButtonLink href={orderUrl(number)} quiet>
          See the order
        </ButtonLink>
        <ButtonLink href="/account/orders" quiet>
          Purchase History
        </ButtonLink>
      </p>
    </div>
  );
}

const AT_ONCE = 6;

function Bought({ lines }: { lines: LastOrderLine[] }) {
  const shown = lines.length > AT_ONCE ? lines.slice(0, AT_ONCE - 1) : lines;
  const rest = lines.length - shown.length;
  return (
    <ul className={styles.bought} aria-label="What you ordered">
      {shown.map(({ _id, name, picture, qtn }) => (
        <li key={_id}>
          <Picture
            picture={smallPicture(picture)}
            name=""
            sizes="96px"
            widest={160}
            loading="eager"
          />
          <p>
            {qtn > 1 && `${qtn} × `}
            {name}
          </p>
        </li>
      ))}
      {rest > 0 && <li className={styles.rest}>and {rest} more</li>}
    </ul>
  );
}
