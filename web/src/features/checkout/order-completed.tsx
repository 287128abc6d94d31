import PackageCheck from "lucide-react/icons/package-check";
import * as cart from "messages/cart";
import * as m from "messages/checkout";
import * as common from "messages/common";
import { useEffect } from "react";
import { localUrl } from "../../lib/language";
import { format, minus, sum } from "../../lib/money";
import { focusHeading } from "../../lib/navigation";
import { formatNumber } from "../../lib/numbers";
import { useShop } from "../../lib/shop-context";
import { orderUrl, signupUrl, trackUrl } from "../../lib/urls";
import { ButtonLink } from "../../ui/button";
import { Picture } from "../../ui/picture";
import { smallPicture } from "../../ui/picture-sources";
import { Skeleton } from "../../ui/skeleton";
import { useAuth } from "../auth/auth";
import { VariantOptions } from "../catalog/variant-options";
import { Arrival } from "../delivery/arrival";
import { type LastOrder, type LastOrderLine, useLastOrder } from "./internal/last-order";
import styles from "./order-completed.module.css";

// Shown only to the customer who placed it: another one may be signed in by now.
export function OrderCompleted() {
  const placed = useLastOrder();
  const { user, loading } = useAuth();
  if (placed === undefined) return <Unknown />;
  // A guest may have signed in since.
  const isOwn = placed?.guest === true || user?.email?.toLowerCase() === placed?.email;
  const owned = isOwn || (user === null && loading);
  return placed === null || !owned ? <None /> : <Thanks placed={placed} />;
}

// Server markup is the same for everyone.
function Unknown() {
  return (
    <div className={styles.completed}>
      <h1>{cart.orderCompleted()}</h1>
      <p className="without-js">{m.showingNeedsJavaScript()}</p>
      <div className={`with-js ${styles.place}`}>
        <Skeleton height="16rem" />
      </div>
    </div>
  );
}

function None() {
  return (
    <div className={styles.completed}>
      <h1>{m.noOrder()}</h1>
      <p className={styles.lead}>{m.noOrderText()}</p>
      <p className={styles.ways}>
        <ButtonLink href={localUrl("/cart")}>{m.toTheCart()}</ButtonLink>
        <ButtonLink href={localUrl("/account/orders")} quiet>
          {m.purchaseHistory()}
        </ButtonLink>
      </p>
    </div>
  );
}

function Thanks({ placed }: { placed: LastOrder }) {
  const { number, email, guest = false, total, credit, currency, payment } = placed;
  const { discounts = [], giftCards = [], delivery, paymentFee = 0 } = placed;
  const paid = sum([...giftCards.map(({ amount }) => amount), credit], currency);
  const { sendsEmail, sendsSms, countries } = useShop();
  const money = (amount: number) => format(amount, currency);
  const isPickup = delivery?.pickup != null;
  const isCash = payment === "cash_on_delivery";
  const pay = isPickup ? m.payAtPickup : m.payCourier;
  const payAsGuest = isPickup ? m.payAtPickupGuest : m.payCourierGuest;
  // Elsewhere a number may lack its calling code.
  const isTexted = email === "" && sendsSms && countries.length > 0;
  const isTold = isTexted || (email !== "" && sendsEmail);
  // The popup that had the focus is closed.
  useEffect(focusHeading, []);
  return (
    <div className={styles.completed}>
      <PackageCheck className={styles.icon} size={56} strokeWidth={1} aria-hidden />
      <h1>{m.completed()}</h1>
      <p className={styles.lead}>{m.thankYou()}</p>
      <dl className={styles.facts}>
        <div>
          <dt>{m.orderNumber()}</dt>
          <dd>{number}</dd>
        </div>
        <div>
          <dt>{cart.total()}</dt>
          <dd>{money(total)}</dd>
        </div>
        {giftCards.map(({ lastFour, amount }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may end alike, and they never change.
          <div key={place}>
            <dt>{common.giftCardEnding({ lastFour })}</dt>
            <dd>{money(amount)}</dd>
          </div>
        ))}
        {credit > 0 && (
          <div>
            <dt>{m.fromCredit()}</dt>
            <dd>{money(credit)}</dd>
          </div>
        )}
        {paid > 0 && (
          <div>
            <dt>{cart.toPay()}</dt>
            <dd>{money(minus(total, paid, currency))}</dd>
          </div>
        )}
        {delivery && (
          <div className={styles.delivery}>
            <dt>{cart.delivery()}</dt>
            <dd>{delivery.name}</dd>
            <dd className={styles.arrival}>
              <Arrival delivery={delivery} />
            </dd>
          </div>
        )}
        {paymentFee > 0 && (
          <div>
            <dt>{common.cashOnDelivery()}</dt>
            <dd>{money(paymentFee)}</dd>
          </div>
        )}
        {discounts.map(({ promotion, label, amount }) => (
          <div key={promotion} className={styles.discount}>
            <dt>{label}</dt>
            <dd>−{money(-amount)}</dd>
          </div>
        ))}
      </dl>
      <Bought lines={placed.lines} />
      <h2>{m.whatNext()}</h2>
      <ol className={styles.next}>
        {email !== "" && sendsEmail && <li>{m.emailComing({ email })}</li>}
        {isTexted && <li>{m.textComing()}</li>}
        {guest && !(email !== "" && sendsEmail) && <li>{m.noteNumberGuest()}</li>}
        {!guest && !isTold && <li>{m.noteNumber()}</li>}
        {isPickup ? <li>{m.weSetAside()}</li> : <li>{isTold ? m.wePackAndWrite() : m.wePack()}</li>}
        {guest ? (
          <>
            {isCash && <li>{payAsGuest()}</li>}
            <li>
              <span>
                {m.claimLater({
                  link: (text) => <a href={signupUrl(trackUrl(number))}>{text}</a>,
                })}
              </span>
            </li>
          </>
        ) : (
          <li>{isCash ? pay() : m.untilPacked()}</li>
        )}
      </ol>
      <p className={styles.ways}>
        <ButtonLink href={trackUrl(number)}>{common.trackMyOrder()}</ButtonLink>
        {!guest && (
          <>
            <ButtonLink href={orderUrl(number)} quiet>
              {m.seeOrder()}
            </ButtonLink>
            <ButtonLink href={localUrl("/account/orders")} quiet>
              {m.purchaseHistory()}
            </ButtonLink>
          </>
        )}
      </p>
    </div>
  );
}

const AT_ONCE = 6;

function Bought({ lines }: { lines: LastOrderLine[] }) {
  const shown = lines.length > AT_ONCE ? lines.slice(0, AT_ONCE - 1) : lines;
  const rest = lines.length - shown.length;
  return (
    <ul className={styles.bought} aria-label={m.whatYouOrdered()}>
      {shown.map(({ _id, name, options, picture, qtn }) => (
        <li key={_id}>
          <Picture
            picture={smallPicture(picture)}
            name=""
            sizes="96px"
            widest={160}
            loading="eager"
          />
          <p>
            {qtn > 1 && `${formatNumber(qtn)} × `}
            {name}
          </p>
          <VariantOptions options={options} />
        </li>
      ))}
      {rest > 0 && <li className={styles.rest}>{m.andMore({ count: rest })}</li>}
    </ul>
  );
}
