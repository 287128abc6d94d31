import Minus from "lucide-react/icons/minus";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { MOST_OF_ONE } from "../lib/cart";
import { IconButton } from "../ui/icon-button";
import styles from "./quantity.module.css";

type Props = {
  // Of what, for who does not see the line it stands in.
  of: string;
  value: number;
  // How many there are.
  stock: number;
  onChange: (quantity: number) => void;
  // One less than one takes it out of the cart.
  removable?: boolean;
};

export function Quantity({ of, value, stock, onChange, removable = false }: Props) {
  // While it is being typed it may be empty or out of bounds; then the last good number stands.
  const [typed, setTyped] = useState<string | null>(null);
  // More was wanted than there is, and less was taken: that is said until another number is.
  const [lowered, setLowered] = useState(false);
  const most = Math.min(stock, MOST_OF_ONE);

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
          max={MOST_OF_ONE}
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
  return most === MOST_OF_ONE ? `${most} is the most.` : `Only ${most} in stock.`;
}
