import Minus from "lucide-react/icons/minus";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { IconButton } from "../../ui/icon-button";
import { MAX_QUANTITY } from "./cart";
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

export function Quantity({ of, value, stock, onChange, removable = false }: Props) {
  // While typing, the field may be empty or out of range; then the last valid number counts.
  const [typed, setTyped] = useState<string | null>(null);
  // The number typed was lowered to the stock; shown until the next change.
  const [lowered, setLowered] = useState(false);
  const most = Math.min(stock, MAX_QUANTITY);

  function type(text: string) {
    setTyped(text);
    const number = Number(text);
    if (!Number.isInteger(number) || number < 1) return;
    setLowered(number > most);
    onChange(Math.min(number, most));
  }

  function step(to: number) {
    setLowered(false);
    onChange(to);
  }

  return (
    <div className={styles.place}>
      <div className={styles.quantity}>
        <IconButton
          label={removable && value <= 1 ? `Remove ${of}` : `One less of ${of}`}
          disabled={!removable && value <= 1}
          onClick={() => step(value - 1)}
        >
          <Minus size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
        <input
          className={styles.number}
          type="number"
          inputMode="numeric"
          min={1}
          max={MAX_QUANTITY}
          aria-label={`Quantity of ${of}`}
          value={typed ?? value}
          onChange={(event) => type(event.target.value)}
          onBlur={() => setTyped(null)}
        />
        <IconButton
          label={`One more of ${of}`}
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
  return most === MAX_QUANTITY ? `${most} is the most.` : `Only ${most} in stock.`;
}
