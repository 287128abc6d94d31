import Minus from "lucide-react/icons/minus";
import Plus from "lucide-react/icons/plus";
import * as m from "messages/cart";
import { type KeyboardEvent, useState } from "react";
import { digits } from "../../lib/numbers";
import { IconButton } from "../../ui/icon-button";
import { MAX_QUANTITY, parseQuantity } from "./cart";
import styles from "./quantity.module.css";

type Props = {
  // The product's name, for screen readers.
  of: string;
  value: number;
  stock: number;
  onChange: (quantity: number) => void;
  // Whether going below 1 removes it from the cart.
  removable?: boolean;
};

const STEPS: Record<string, number> = { ArrowUp: 1, ArrowDown: -1 };

export function Quantity({ of, value, stock, onChange, removable = false }: Props) {
  // While typing, the field may be empty or out of range; then the last valid number counts.
  const [typed, setTyped] = useState<string | null>(null);
  // The number typed was lowered to the stock; shown until the next change.
  const [lowered, setLowered] = useState(false);
  const most = Math.min(stock, MAX_QUANTITY);

  function type(text: string) {
    setTyped(text);
    const number = parseQuantity(text);
    if (number === null) return;
    setLowered(number > most);
    onChange(Math.min(number, most));
  }

  function step(to: number) {
    setTyped(null);
    setLowered(false);
    onChange(to);
  }

  function onKeyDown(event: KeyboardEvent) {
    const to = value + (STEPS[event.key] ?? 0);
    if (to === value) return;
    event.preventDefault();
    if (to >= 1 && to <= most) step(to);
  }

  return (
    <div className={styles.place}>
      <div className={styles.quantity}>
        <IconButton
          label={removable && value <= 1 ? m.removeNamed({ name: of }) : m.oneLessOf({ name: of })}
          disabled={!removable && value <= 1}
          onClick={() => step(value - 1)}
        >
          <Minus size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
        {/* No type="number": it takes no digits but 0 to 9. */}
        <input
          className={styles.number}
          role="spinbutton"
          inputMode="numeric"
          autoComplete="off"
          aria-label={m.quantityOf({ name: of })}
          aria-valuenow={value}
          aria-valuemin={1}
          aria-valuemax={MAX_QUANTITY}
          value={typed ?? digits(value)}
          onKeyDown={onKeyDown}
          onChange={(event) => type(event.target.value)}
          onBlur={() => setTyped(null)}
        />
        <IconButton
          label={m.oneMoreOf({ name: of })}
          disabled={value >= most}
          onClick={() => step(value + 1)}
        >
          <Plus size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
      </div>
      <p className={styles.lowered} role="status">
        {lowered && mostText(most)}
      </p>
    </div>
  );
}

function mostText(most: number): string {
  return most === MAX_QUANTITY ? m.isTheMost({ most }) : m.onlyInStock({ stock: most });
}
