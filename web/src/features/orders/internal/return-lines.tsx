import * as m from "messages/orders";
import type { OrderLine, OrderNow, ReturnLine } from "../../../lib/api.gen";
import { Picture } from "../../../ui/picture";
import { smallPicture } from "../../../ui/picture-sources";
import { Select } from "../../../ui/select";
import { VariantOptions, variantName } from "../../catalog/variant-options";
import styles from "./return-lines.module.css";

type Props = { order: OrderNow; chosen: ReturnLine[]; onChange: (chosen: ReturnLine[]) => void };

// Chooses products and quantities to return.
export function ReturnLines({ order, chosen, onChange }: Props) {
  function choose(id: string, qtn: number) {
    const others = chosen.filter((line) => line._id !== id);
    onChange(qtn === 0 ? others : [...others, { _id: id, qtn }]);
  }

  return (
    <ul className={styles.lines}>
      {order.returnable.map(({ _id, qtn: most }) => (
        <Line
          key={_id}
          line={order.lines.find((one) => one._id === _id)}
          most={most}
          qtn={chosen.find((one) => one._id === _id)?.qtn ?? 0}
          onChange={(qtn) => choose(_id, qtn)}
        />
      ))}
    </ul>
  );
}

type LineProps = {
  line: OrderLine | undefined;
  most: number;
  qtn: number;
  onChange: (qtn: number) => void;
};

function Line({ line, most, qtn, onChange }: LineProps) {
  const name = line === undefined ? "" : variantName(line);
  return (
    <li className={styles.line}>
      <label className={styles.product}>
        <input
          type="checkbox"
          checked={qtn > 0}
          onChange={(event) => onChange(event.target.checked ? most : 0)}
        />
        <Picture
          picture={smallPicture(line?.picture)}
          name=""
          sizes="56px"
          widest={160}
          loading="eager"
        />
        <div>
          {line?.name}
          <VariantOptions options={line?.options} />
        </div>
      </label>
      {most > 1 && (
        <Select
          label={m.howManyOf({ name })}
          labelHidden
          disabled={qtn === 0}
          value={String(qtn || most)}
          options={upTo(most)}
          onChange={(event) => onChange(Number(event.target.value))}
        />
      )}
    </li>
  );
}

function upTo(most: number): { value: string; label: string }[] {
  return Array.from({ length: most }, (_, place) => ({
    value: String(place + 1),
    label: m.countOf({ count: place + 1, most }),
  }));
}
