import { type ReactNode, useState } from "react";
import type { CartLine } from "../../lib/cart";
import { type Cents, cents } from "../../lib/money";
import { small } from "../../lib/pictures";
import type { Quoted } from "../../lib/quote";
import { useMoney } from "../../lib/shop";
import { Picture } from "../../ui/picture";
import { Amounts } from "../amounts";
import { LineNotes } from "../line-notes";
import { Summary } from "../summary";
import styles from "./order-summary.module.css";

// More would push the button out of sight.
const AT_ONCE = 4;

type Props = {
  lines: CartLine[];
  quoted: Quoted;
  // What of it store credit pays.
  credit: Cents;
  children: ReactNode;
};

// What is bought and what it costs; below, what to do about it.
export function OrderSummary({ lines, quoted, credit, children }: Props) {
  const { quote, busy, notes } = quoted;
  const money = useMoney();
  const [all, setAll] = useState(false);
  const shown = all || lines.length <= AT_ONCE ? lines : lines.slice(0, AT_ONCE - 1);
  return (
    <Summary id="your-order" title="Your order" busy={busy}>
      <ul className={styles.lines}>
        {shown.map((line) => (
          <li key={line._id} data-gone={notes[line._id]?.some((note) => note.kind === "gone")}>
            <Picture picture={small(line.img[0])} name="" sizes="64px" loading="eager" />
            <div>
              <p className={styles.name}>{line.name}</p>
              <p className={styles.price}>
                {line.qtn} × {money(cents(line.buyPrice))}
              </p>
              <LineNotes notes={notes[line._id]} price={line.buyPrice} />
            </div>
          </li>
        ))}
      </ul>
      {shown.length < lines.length && (
        <button className={styles.all} type="button" onClick={() => setAll(true)}>
          Show all {lines.length} products
        </button>
      )}
      <Amounts
        subTotal={quote?.subTotal}
        shipping={quote?.shipping}
        vat={quote?.vat}
        withVat
        total={quote?.total}
        credit={credit}
      />
      {children}
    </Summary>
  );
}
