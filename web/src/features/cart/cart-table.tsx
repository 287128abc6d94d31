import Trash2 from "lucide-react/icons/trash-2";
import * as m from "messages/cart";
import type { Quote } from "../../lib/api.gen";
import { format } from "../../lib/money";
import { variantUrl } from "../../lib/urls";
import { IconButton } from "../../ui/icon-button";
import { NowrapHyphens } from "../../ui/nowrap-hyphens";
import { Picture } from "../../ui/picture";
import { smallPicture } from "../../ui/picture-sources";
import { Table } from "../../ui/table";
import { VariantOptions, variantName } from "../catalog/variant-options";
import { type CartLine, cart, lineTotal } from "./cart";
import styles from "./cart-table.module.css";
import { LineNotes } from "./line-notes";
import { Quantity } from "./quantity";
import { linesWithQuote, type Notes } from "./quote";

const COLUMNS = [m.image, m.product, m.price, m.quantity, m.total, m.remove];

type Props = { lines: CartLine[]; quote: Quote | null; notes: Notes };

export function CartTable({ lines, quote, notes }: Props) {
  return (
    <Table columns={COLUMNS.map((name) => name())} className={styles.table}>
      {linesWithQuote(lines, quote).map((line) => (
        <Row
          key={line._id}
          line={line}
          quoted={quote?.lines.find((quoted) => quoted._id === line._id)}
          notes={notes[line._id]}
        />
      ))}
    </Table>
  );
}

type RowProps = {
  line: CartLine;
  quoted: Quote["lines"][number] | undefined;
  notes: Notes[string] | undefined;
};

function Row({ line, quoted, notes }: RowProps) {
  const gone = quoted?.change === "gone";
  const name = variantName(line);
  return (
    <tr className={styles.row} data-gone={gone}>
      <td className={styles.picture}>
        <Picture picture={smallPicture(line.img[0])} name="" sizes="96px" loading="eager" />
      </td>
      <th className={styles.name} scope="row">
        <a href={variantUrl(line)}>
          <NowrapHyphens text={line.name} />
        </a>
        <VariantOptions options={line.options} />
        <LineNotes line={line} notes={notes} backOrder={quoted?.backOrder} />
      </th>
      <td className={styles.price}>{format(line.buyPrice, line.currency)}</td>
      <td className={styles.quantity}>
        {!gone && (
          <Quantity
            of={name}
            value={line.qtn}
            stock={quoted?.stock ?? line.qtn}
            onChange={(qtn) => cart.setQuantity(line._id, qtn)}
            removable
          />
        )}
      </td>
      <td className={styles.total}>{gone ? "–" : format(lineTotal(line), line.currency)}</td>
      <td className={styles.remove}>
        <IconButton label={m.removeNamed({ name })} onClick={() => cart.remove(line._id)}>
          <Trash2 size={18} strokeWidth={1.5} aria-hidden />
        </IconButton>
      </td>
    </tr>
  );
}
