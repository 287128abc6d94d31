import * as m from "messages/checkout";
import * as common from "messages/common";
import type { UseFormReturn } from "react-hook-form";
import { format } from "../../../lib/money";
import type { AsyncValue } from "../../../lib/use-async";
import { Button } from "../../../ui/button";
import card from "../../../ui/choice-card.module.css";
import type { Balance } from "../../credit/credit";
import type { Billing } from "./billing-fields";
import styles from "./payment-choice.module.css";

type Props = {
  form: UseFormReturn<Billing>;
  balance: AsyncValue<Balance>;
  // What is left to pay after it; null while unknown.
  left: number | null;
};

// The option to pay with store credit.
export function CreditChoice({ form, balance, left }: Props) {
  if (balance.failed) {
    return (
      <p className={styles.note} role="alert">
        {m.creditNotLoaded()}{" "}
        <Button quiet onClick={balance.retry}>
          {common.retry()}
        </Button>
      </p>
    );
  }
  if (balance.value === null || balance.value.amount === 0) return null;
  const { amount, currency } = balance.value;
  return (
    <label className={`${card.card} ${styles.credit}`}>
      <input {...form.register("credit")} type="checkbox" />
      <span className={card.words}>
        <span className={card.name}>{m.spendCredit({ amount: format(amount, currency) })}</span>
        <small>
          {left === 0 && m.creditPaysAll()}
          {left !== null && left > 0 && m.leftToPay({ amount: format(left, currency) })}
        </small>
      </span>
    </label>
  );
}
