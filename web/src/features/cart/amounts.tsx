import * as m from "messages/cart";
import * as common from "messages/common";
import { type Cents, cents, minus } from "../../lib/money";
import { useMoney } from "../../lib/shop-context";
import { Skeleton } from "../../ui/skeleton";
import styles from "./amounts.module.css";

// In US dollars; undefined while loading.
type Props = {
  subTotal: number | undefined;
  shipping: number | undefined;
  // Shown only with `withVat`.
  vat?: number | undefined;
  withVat?: boolean;
  total: number | undefined;
  // The part of the total that store credit pays.
  credit?: Cents;
};

const NONE = 0 as Cents;

// The server's amounts in the current currency.
export function Amounts(props: Props) {
  const { subTotal, shipping, vat, withVat = false, total, credit = NONE } = props;
  const money = useMoney();
  const amount = (dollars: number | undefined) =>
    dollars === undefined ? <Skeleton width="5rem" height="1.25rem" /> : money(cents(dollars));
  const free = shipping === 0 && subTotal !== undefined && subTotal > 0;
  return (
    <dl className={styles.amounts}>
      <div>
        <dt>{m.subTotal()}</dt>
        <dd>{amount(subTotal)}</dd>
      </div>
      <div>
        <dt>{m.shipping()}</dt>
        <dd>{free ? m.free() : amount(shipping)}</dd>
      </div>
      {withVat && (
        <div>
          <dt>{m.vat()}</dt>
          <dd>{amount(vat)}</dd>
        </div>
      )}
      <div className={styles.total}>
        <dt>{m.total()}</dt>
        <dd>{amount(total)}</dd>
      </div>
      {credit > 0 && total !== undefined && (
        <>
          <div>
            <dt>{common.storeCredit()}</dt>
            <dd>−{money(credit)}</dd>
          </div>
          <div className={styles.total}>
            <dt>{m.toPay()}</dt>
            <dd>{money(minus(cents(total), credit))}</dd>
          </div>
        </>
      )}
    </dl>
  );
}
