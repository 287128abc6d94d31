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
  const most = Math.min(stock, MOST_OF_ONE);

  function type(text: string) {
    setTyped(text);
    const number = Number(text);
    if (Number.isInteger(number) && number >= 1) onChange(Math.min(number, most));
  }

  return (
    <div className={styles.quantity}>
      <IconButton
        label={removable && value <= 1 ? `Remove ${of}` : `One less of ${of}`}
        disabled={!removable && value <= 1}
        onClick={() => onChange(value - 1)}
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
        onClick={() => onChange(value + 1)}
      >
        <Plus size={16} strokeWidth={1.5} aria-hidden />
      </IconButton>
    </div>
  );
}
