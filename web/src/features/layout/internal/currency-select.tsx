import * as m from "messages/layout";
import type { Currency } from "../../../lib/api.gen";
import { useShop } from "../../../lib/shop-context";
import { Select } from "../../../ui/select";
import styles from "./currency-select.module.css";

const CURRENCIES = [
  { value: "USD", label: m.usd },
  { value: "BDT", label: m.bdt },
];

// A form, so that it works without JavaScript; with it, prices change in place.
export function CurrencySelect({ back }: { back: string }) {
  const { shop, chooseCurrency } = useShop();
  return (
    <form className={styles.form} method="post" action="/currency">
      <input type="hidden" name="back" value={back} />
      <Select
        label={m.currency()}
        labelHidden
        name="currency"
        options={CURRENCIES.map(({ value, label }) => ({ value, label: label() }))}
        value={shop.currency}
        onChange={(event) => chooseCurrency(event.target.value as Currency)}
      />
      <button className={`without-js ${styles.button}`} type="submit">
        {m.change()}
      </button>
    </form>
  );
}
