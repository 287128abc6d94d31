import * as m from "messages/cart";
import { longDate } from "../../lib/dates";
import { cents } from "../../lib/money";
import { useMoney } from "../../lib/shop-context";
import styles from "./line-notes.module.css";
import type { Note } from "./quote";

type Props = {
  notes: Note[] | undefined;
  price: number;
  // The promised date, where the line needs more than is in stock.
  backOrder?: string | null | undefined;
};

// What has changed about a cart line, and when it is sent if not at once.
export function LineNotes({ notes = [], price, backOrder = null }: Props) {
  const money = useMoney();
  if (notes.length === 0 && backOrder === null) return null;
  return (
    <ul className={styles.notes}>
      {backOrder !== null && <li>{m.lineShips({ date: longDate(backOrder) })}</li>}
      {notes.map((note) => (
        <li key={note.kind} data-kind={note.kind}>
          {note.kind === "gone" && m.lineGone()}
          {note.kind === "less" && m.lineLowered({ left: note.left })}
          {note.kind === "price" &&
            m.priceChanged({ before: money(cents(note.was)), now: money(cents(price)) })}
        </li>
      ))}
    </ul>
  );
}
