import * as m from "messages/cart";
import * as common from "messages/common";
import type { Quote } from "../../lib/api.gen";
import { format, minus, sum } from "../../lib/money";
import { useShop } from "../../lib/shop-context";
import { Skeleton } from "../../ui/skeleton";
import type { CardPart } from "../gift-cards/gift-cards";
import styles from "./amounts.module.css";
import { type DiscountRow, discountsOf } from "./discount-rows";
import { shippingLabel } from "./shipping-label";
import { taxesOf } from "./tax-rows";

type Props = {
  // Null while loading.
  quote: Quote | null;
  // With VAT in the total, as at checkout.
  withVat?: boolean;
  // What gift cards pay of the total, and then store credit.
  giftCards?: CardPart[];
  credit?: number;
};

export function Amounts({ quote, withVat = false, giftCards = [], credit = 0 }: Props) {
  const shop = useShop();
  // While new amounts load, the last ones stay in their currency.
  const { currency } = quote ?? shop;
  const { subTotal, shipping, paymentFee = 0 } = quote ?? {};
  const { added, included } = taxesOf(quote ?? { taxes: [], vat: 0 });
  const total = withVat ? quote?.total : quote?.cartTotal;
  const money = (amount: number) => format(amount, currency);
  const amount = (known: number | undefined) =>
    known === undefined ? <Skeleton width="5rem" height="1.25rem" /> : money(known);
  const discounts = quote && discountsOf(quote);
  const rows = (all: DiscountRow[] = []) =>
    all.map(({ promotion, label, amount }) => (
      <div key={promotion} className={styles.discount}>
        <dt>{label}</dt>
        <dd>−{money(-amount)}</dd>
      </div>
    ));
  const method = quote?.deliveries.find(({ id }) => id === quote.delivery);
  const cards = giftCards.filter(({ amount }) => amount > 0);
  const spent = [...cards.map(({ amount }) => amount), ...(credit > 0 ? [credit] : [])];
  const free = shipping === 0 && subTotal !== undefined && subTotal > 0;
  return (
    <dl className={styles.amounts}>
      <div>
        <dt>{m.subTotal()}</dt>
        <dd>{amount(subTotal)}</dd>
      </div>
      {rows(discounts?.goods)}
      <div>
        <dt>{shippingLabel(method?.name)}</dt>
        <dd>{quote?.undeliverable ? "–" : free ? m.free() : amount(shipping)}</dd>
      </div>
      {rows(discounts?.delivery)}
      {paymentFee > 0 && (
        <div>
          <dt>{common.cashOnDelivery()}</dt>
          <dd>{money(paymentFee)}</dd>
        </div>
      )}
      {withVat &&
        added.map(({ name, amount: tax }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{amount(quote ? tax : undefined)}</dd>
          </div>
        ))}
      <div className={styles.total}>
        <dt>{m.total()}</dt>
        <dd>{amount(total)}</dd>
      </div>
      {included.map(({ name, amount: tax }) => (
        <div key={name} className={styles.included}>
          <dt>{name}</dt>
          <dd>{money(tax)}</dd>
        </div>
      ))}
      {spent.length > 0 && total !== undefined && (
        <>
          {cards.map(({ code, lastFour, amount }) => (
            <div key={code}>
              <dt>{common.giftCardEnding({ lastFour })}</dt>
              <dd>−{money(amount)}</dd>
            </div>
          ))}
          {credit > 0 && (
            <div>
              <dt>{common.storeCredit()}</dt>
              <dd>−{money(credit)}</dd>
            </div>
          )}
          <div className={styles.total}>
            <dt>{m.toPay()}</dt>
            <dd>{money(minus(total, sum(spent, currency), currency))}</dd>
          </div>
        </>
      )}
    </dl>
  );
}
