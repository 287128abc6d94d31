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
          {note.kind === "gone" && "No longer to be had. It is not counted."}
          {note.kind === "less" && `Only ${note.left} left in stock, so the quantity was lowered.`}
          {note.kind === "price" &&
            `The price has changed from ${money(cents(note.was))} to ${money(cents(price))}.`}
        </li>
      ))}
    </ul>
  );
}
