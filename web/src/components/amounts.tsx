import { type Cents, cents, minus } from "../lib/money";
import { useMoney } from "../lib/shop";
import { Skeleton } from "../ui/skeleton";
import styles from "./amounts.module.css";

// In US dollars; undefined while they are on their way.
type Props = {
  subTotal: number | undefined;
  shipping: number | undefined;
  // Where it is charged.
  vat?: number | undefined;
  withVat?: boolean;
  total: number | undefined;
  // What of the total is paid with store credit.
  credit?: Cents;
};

const NONE = 0 as Cents;

// The server's amounts, as they are, in the currency that is on.
export function Amounts(props: Props) {
  const { subTotal, shipping, vat, withVat = false, total, credit = NONE } = props;
  const money = useMoney();
  const amount = (dollars: number | undefined) =>
    dollars === undefined ? <Skeleton width="5rem" height="1.25rem" /> : money(cents(dollars));
  const free = shipping === 0 && subTotal !== undefined && subTotal > 0;
  return (
    <dl className={styles.amounts}>
      <div>
        <dt>Sub Total</dt>
        <dd>{amount(subTotal)}</dd>
      </div>
      <div>
        <dt>Shipping</dt>
        <dd>{free ? "Free" : amount(shipping)}</dd>
      </div>
      {withVat && (
        <div>
          <dt>Vat</dt>
          <dd>{amount(vat)}</dd>
        </div>
      )}
      <div className={styles.total}>
        <dt>Total</dt>
        <dd>{amount(total)}</dd>
      </div>
      {credit > 0 && total !== undefined && (
        <>
          <div>
            <dt>Store credit</dt>
            <dd>−{money(credit)}</dd>
          </div>
          <div className={styles.total}>
            <dt>To pay</dt>
            <dd>{money(minus(cents(total), credit))}</dd>
          </div>
        </>
      )}
    </dl>
  );
}
