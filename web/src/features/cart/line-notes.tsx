import * as m from "messages/cart";
import { longDate } from "../../lib/dates";
import { format } from "../../lib/money";
import type { CartLine } from "./cart";
import styles from "./line-notes.module.css";
import type { Note } from "./quote";

type Props = {
  line: CartLine;
  notes: Note[] | undefined;
  // The promised date, where the line needs more than is in stock.
  backOrder?: string | null | undefined;
};

// What has changed about a cart line, and when it is sent if not at once.
export function LineNotes({ line, notes = [], backOrder = null }: Props) {
  if (notes.length === 0 && backOrder === null) return null;
  return (
    <ul className={styles.notes}>
      {backOrder !== null && <li>{m.lineShips({ date: longDate(backOrder) })}</li>}
      {notes.map((note) => (
        <li key={note.kind} data-kind={note.kind}>
          {note.kind === "gone" && m.lineGone()}
          {note.kind === "less" && m.lineLowered({ left: note.left })}
          {note.kind === "price" &&
            m.priceChanged({
              before: format(note.was, note.currency),
              now: format(line.buyPrice, line.currency),
            })}
        </li>
      ))}
    </ul>
  );
}
