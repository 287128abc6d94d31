import type { Currency } from "../../../lib/api.gen";
import { useShop } from "../../../lib/shop-context";
import { Select } from "../../../ui/select";
import styles from "./currency-select.module.css";

const CURRENCIES = [
  { value: "USD", label: "USD $" },
  { value: "BDT", label: "BDT ৳" },
];

// A form, so that it works without JavaScript; with it, prices change in place.
export function CurrencySelect({ back }: { back: string }) {
  const { shop, chooseCurrency } = useShop();
  return (
    <form className={styles.form} method="post" action="/currency">
      <input type="hidden" name="back" value={back} />
      <Select
        label="Currency"
        labelHidden
        name="currency"
        options={CURRENCIES}
        value={shop.currency}
        onChange={(event) => chooseCurrency(event.target.value as Currency)}
      />
      <button className={`without-js ${styles.button}`} type="submit">
        Change
      </button>
    </form>
  );
}
