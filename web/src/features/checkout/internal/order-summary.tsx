import * as m from "messages/checkout";
import { type ReactNode, useState } from "react";
import { format } from "../../../lib/money";
import { formatNumber } from "../../../lib/numbers";
import { Picture } from "../../../ui/picture";
import { smallPicture } from "../../../ui/picture-sources";
import { Amounts } from "../../cart/amounts";
import type { CartLine } from "../../cart/cart";
import { LineNotes } from "../../cart/line-notes";
import { linesWithQuote, type Quoted } from "../../cart/quote";
import { SummaryPanel } from "../../cart/summary-panel";
import { VariantOptions } from "../../catalog/variant-options";
import { CodeSection } from "../../discounts/code-section";
import type { CardPart } from "../../gift-cards/gift-cards";
import styles from "./order-summary.module.css";

// More lines would push the button out of view.
const AT_ONCE = 4;

type Props = {
  lines: CartLine[];
  quoted: Quoted;
  // While the order is being placed.
  fixed: boolean;
  // What gift cards and store credit pay.
  giftCards: CardPart[];
  credit: number;
  children: ReactNode;
};

// The order's lines and totals, with the submit button below.
export function OrderSummary(props: Props) {
  const { lines: stored, quoted, fixed, giftCards, credit, children } = props;
  const { quote, busy, notes } = quoted;
  const lines = linesWithQuote(stored, quote);
  const [all, setAll] = useState(false);
  const shown = all || lines.length <= AT_ONCE ? lines : lines.slice(0, AT_ONCE - 1);
  return (
    <SummaryPanel id="your-order" title={m.yourOrder()} busy={busy}>
      <ul className={styles.lines}>
        {shown.map((line) => (
          <li key={line._id} data-gone={notes[line._id]?.some((note) => note.kind === "gone")}>
            <Picture picture={smallPicture(line.img[0])} name="" sizes="64px" loading="eager" />
            <div>
              <p className={styles.name}>{line.name}</p>
              <VariantOptions options={line.options} />
              <p className={styles.price}>
                {formatNumber(line.qtn)} × {format(line.buyPrice, line.currency)}
              </p>
              <LineNotes
                line={line}
                notes={notes[line._id]}
                backOrder={quote?.lines.find(({ _id }) => _id === line._id)?.backOrder}
              />
            </div>
          </li>
        ))}
      </ul>
      {shown.length < lines.length && (
        <button className={styles.all} type="button" onClick={() => setAll(true)}>
          {m.showAll({ count: lines.length })}
        </button>
      )}
      <Amounts quote={quote} withVat giftCards={giftCards} credit={credit} />
      <CodeSection quoted={quoted} fixed={fixed} />
      {children}
    </SummaryPanel>
  );
}
