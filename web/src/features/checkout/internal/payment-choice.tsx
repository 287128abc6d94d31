import { type ComponentProps, type ReactNode, useCallback, useEffect, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { fetchJson } from "../../../lib/api";
import type { PaymentMethod, PaymentProvider } from "../../../lib/api.gen";
import { useShop } from "../../../lib/shop-context";
import { LoadError } from "../../../ui/empty-state";
import { Skeleton } from "../../../ui/skeleton";
import { PaymentIcon } from "../../layout/payment-icons";
import type { Billing } from "./billing-fields";
import styles from "./payment-choice.module.css";

const DESCRIPTIONS: Record<PaymentProvider, string> = {
  card: "Visa, Mastercard or American Express",
  paypal: "With your PayPal account",
  google_pay: "With the card on your phone",
  cash_on_delivery: "Pay the courier when it arrives",
  store_credit: "Nothing is left to pay",
};

type Props = {
  form: UseFormReturn<Billing>;
  // Store credit pays the whole order: there is nothing to choose.
  covered: boolean;
  // The store credit option.
  children: ReactNode;
};

export function PaymentChoice({ form, covered, children }: Props) {
  const [methods, setMethods] = useState<PaymentMethod[] | null>(null);
  const [failed, setFailed] = useState(false);
  const { shop } = useShop();
  const { getValues, setValue } = form;
  const input = form.register("payment");

  const load = useCallback(() => {
    setFailed(false);
    fetchJson<PaymentMethod[]>("/api/payments").then(
      (found) => {
        setMethods(found);
        const offered = found.filter((method) => method.enabled).map((method) => method.provider);
        const [first] = offered;
        if (first && !offered.includes(getValues("payment"))) setValue("payment", first);
      },
      () => setFailed(true),
    );
  }, [getValues, setValue]);
  useEffect(load, [load]);

  return (
    <fieldset className={styles.payment}>
      <legend>Payment</legend>
      {failed ? (
        <LoadError what="The ways to pay" retry={load} />
      ) : (
        <div className={styles.cards} inert={covered} data-covered={covered}>
          {methods === null
            ? shop.payments.map(({ provider, enabled }) => (
                <span key={provider} data-off={!enabled || undefined}>
                  <Skeleton height={enabled ? "5rem" : "2.75rem"} />
                </span>
              ))
            : methods.map((method) => (
                <Method key={method.provider} method={method} input={input} />
              ))}
        </div>
      )}
      {children}
    </fieldset>
  );
}

type MethodProps = { method: PaymentMethod; input: ComponentProps<"input"> };

function Method({ method: { provider, title, enabled }, input }: MethodProps) {
  return (
    <label className={styles.card} data-off={!enabled || undefined}>
      <input {...input} type="radio" value={provider} disabled={!enabled} />
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        <small>{enabled ? DESCRIPTIONS[provider] : "Not available yet"}</small>
      </span>
      <PaymentIcon provider={provider} />
    </label>
  );
}
