import * as m from "messages/checkout";
import * as payments from "messages/payment";
import { type ReactNode, useEffect, useId, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useShop } from "../../../lib/shop-context";
import { PAYMENT_NAMES } from "../../layout/payment-icons";
import { MethodCards } from "../../payment/method-cards";
import { chooseMethod, refusalOf } from "../../payment/method-rules";
import { refusalText } from "../../payment/method-texts";
import type { Billing } from "./billing-fields";
import styles from "./payment-choice.module.css";

type Props = {
  form: UseFormReturn<Billing>;
  // Gift cards and store credit pay the whole order: there is nothing to choose.
  covered: boolean;
  // What is left to pay; null while it is not known.
  amount: number | null;
  isPickup: boolean;
  // For cash on delivery; 0 where there is none.
  cashFee: number;
  // The options to pay with gift cards and store credit.
  children: ReactNode;
};

export function PaymentChoice(props: Props) {
  const { form, covered, amount, isPickup, cashFee, children } = props;
  const { payments: methods, currency } = useShop();
  const legend = useId();
  const { onChange, ...input } = form.register("payment");
  const [replaced, setReplaced] = useReplacement(form, covered ? null : amount);
  return (
    <fieldset className={styles.payment}>
      <legend id={legend}>{m.payment()}</legend>
      <MethodCards
        methods={methods}
        amount={covered ? null : amount}
        currency={currency}
        input={() => ({
          ...input,
          onChange(event) {
            setReplaced("");
            void onChange(event);
          },
        })}
        labelledBy={legend}
        isPickup={isPickup}
        cashFee={cashFee}
        inert={covered}
      />
      <p className={covered ? "visually-hidden" : styles.replaced} role="status">
        {covered ? payments.nothingToChoose() : replaced}
      </p>
      {children}
    </fieldset>
  );
}

// Chooses another way where the chosen one cannot pay the amount any more. Returns what is said about that.
function useReplacement(form: UseFormReturn<Billing>, amount: number | null) {
  const { payments: methods, currency } = useShop();
  const { setValue } = form;
  const [replaced, setReplaced] = useState("");
  const chosen = form.watch("payment");
  useEffect(() => {
    const next = chooseMethod(methods, chosen, amount, currency);
    if (next === null || next === chosen) return;
    setValue("payment", next);
    const method = methods.find(({ provider }) => provider === chosen);
    const refusal = method?.enabled ? refusalOf(method, amount, currency) : null;
    if (refusal === null) return;
    const reason = refusalText(chosen, refusal, currency);
    setReplaced(payments.chosenInstead({ reason, name: PAYMENT_NAMES[next]() }));
  }, [methods, chosen, amount, currency, setValue]);
  return [replaced, setReplaced] as const;
}
