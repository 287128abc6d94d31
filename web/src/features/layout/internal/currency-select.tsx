import * as errors from "messages/errors";
import * as m from "messages/layout";
import { startTransition, useOptimistic } from "react";
import type { Currency, Page } from "../../../lib/api.gen";
import { currencySign } from "../../../lib/money";
import { chooseCurrency } from "../../../lib/navigation";
import { useShop } from "../../../lib/shop-context";
import { toast } from "../../../lib/toast";
import { pageUrl, withoutPriceFilter } from "../../../lib/urls";
import { Select } from "../../../ui/select";
import styles from "./currency-select.module.css";

const NAMES: Record<Currency, () => string> = { USD: m.usd, BDT: m.bdt };

// A form, so that it works without JavaScript; with it, the page changes in place.
export function CurrencySelect({ page }: { page: Page }) {
  const { currency, currencies } = useShop();
  // The choice, until there is a page in it.
  const [shown, setShown] = useOptimistic(currency);
  const isList = page.page === "category" || page.page === "search";
  const next = isList ? withoutPriceFilter(pageUrl(page)) : undefined;

  function choose(code: Currency) {
    startTransition(async () => {
      setShown(code);
      if (!(await chooseCurrency(code, next))) toast.error(errors.unreachable());
    });
  }

  if (currencies.length < 2) return null;
  return (
    <form className={styles.form} method="post" action="/currency">
      <input type="hidden" name="back" value={next ?? pageUrl(page)} />
      <Select
        label={m.currency()}
        labelHidden
        name="currency"
        options={currencies.map((code) => ({ value: code, label: nameOf(code) }))}
        value={shown}
        onChange={(event) => choose(event.target.value)}
      />
      <button className={`without-js ${styles.button}`} type="submit">
        {m.change()}
      </button>
    </form>
  );
}

// "EUR €", or "CHF".
function nameOf(code: Currency): string {
  const sign = currencySign(code);
  return NAMES[code]?.() ?? (sign === code ? code : `${code} ${sign}`);
}
