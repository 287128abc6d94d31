import * as m from "messages/cart";
import { cents } from "../../lib/money";
import { useMoney } from "../../lib/shop-context";
import styles from "./line-notes.module.css";
import type { Note } from "./quote";

// What has changed about a cart line.
export function LineNotes({ notes, price }: { notes: Note[] | undefined; price: number }) {
  const money = useMoney();
  if (notes === undefined) return null;
  return (
    <ul className={styles.notes}>
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
