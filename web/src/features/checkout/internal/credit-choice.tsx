import * as m from "messages/checkout";
import * as common from "messages/common";
import type { UseFormReturn } from "react-hook-form";
import { type Cents, minus } from "../../../lib/money";
import { useMoney } from "../../../lib/shop-context";
import type { AsyncValue } from "../../../lib/use-async";
import { Button } from "../../../ui/button";
import type { Billing } from "./billing-fields";
import styles from "./payment-choice.module.css";

type Props = {
  form: UseFormReturn<Billing>;
  balance: AsyncValue<Cents>;
  // What it would pay and what the order costs; null while unknown.
  pays: Cents | null;
  total: Cents | null;
};

// The option to pay with store credit.
export function CreditChoice({ form, balance, pays, total }: Props) {
  const money = useMoney();
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
  if (balance.value === null || balance.value === 0) return null;
  const left = pays === null || total === null ? null : minus(total, pays);
  return (
    <label className={styles.card}>
      <input {...form.register("credit")} type="checkbox" />
      <span className={styles.words}>
        <span className={styles.title}>{m.spendCredit({ amount: money(balance.value) })}</span>
        <small>
          {left === 0 && m.creditPaysAll()}
          {left !== null && left > 0 && m.leftToPay({ amount: money(left) })}
        </small>
      </span>
    </label>
  );
}
