import * as m from "messages/checkout";
import { type ComponentProps, type ReactNode, useCallback, useEffect, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { fetchJson } from "../../../lib/api";
import type { Currency, PaymentMethod, PaymentProvider } from "../../../lib/api.gen";
import { format } from "../../../lib/money";
import { useShop } from "../../../lib/shop-context";
import { LoadError } from "../../../ui/empty-state";
import { Skeleton } from "../../../ui/skeleton";
import { PAYMENT_NAMES, PaymentIcon } from "../../layout/payment-icons";
import type { Billing } from "./billing-fields";
import styles from "./payment-choice.module.css";

// Where goods are picked up, there is no courier.
const PICKUP_DESCRIPTIONS = { cash_on_delivery: m.cashAtPickupText };

const DESCRIPTIONS: Record<PaymentProvider, () => string> = {
  card: m.cardText,
  paypal: m.paypalText,
  google_pay: m.googlePayText,
  cash_on_delivery: m.cashText,
  store_credit: m.creditText,
  gift_card: m.creditText,
};

type Props = {
  form: UseFormReturn<Billing>;
  // Gift cards and store credit pay the whole order: there is nothing to choose.
  covered: boolean;
  isPickup: boolean;
  // For cash on delivery; 0 where there is none.
  cashFee: number;
  currency: Currency;
  // The options to pay with gift cards and store credit.
  children: ReactNode;
};

export function PaymentChoice(props: Props) {
  const { form, covered, isPickup, cashFee, currency, children } = props;
  const [methods, setMethods] = useState<PaymentMethod[] | null>(null);
  const [failed, setFailed] = useState(false);
  const shop = useShop();
  const { getValues, setValue } = form;
  const input = form.register("payment");
  const fees: Partial<Record<PaymentProvider, number>> = { cash_on_delivery: cashFee };
  const descriptions = isPickup ? { ...DESCRIPTIONS, ...PICKUP_DESCRIPTIONS } : DESCRIPTIONS;

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
      <legend>{m.payment()}</legend>
      {failed ? (
        <LoadError title={m.waysNotLoaded()} retry={load} />
      ) : (
        <div className={styles.cards} inert={covered} data-covered={covered}>
          {methods === null
            ? shop.payments.map(({ provider, enabled }) => (
                <span key={provider} data-off={!enabled || undefined}>
                  <Skeleton height={enabled ? "5rem" : "2.75rem"} />
                </span>
              ))
            : methods.map((method) => (
                <Method
                  key={method.provider}
                  method={method}
                  input={input}
                  description={descriptions[method.provider]()}
                  fee={fees[method.provider] ?? 0}
                  currency={currency}
                />
              ))}
        </div>
      )}
      {children}
    </fieldset>
  );
}

type MethodProps = {
  method: PaymentMethod;
  input: ComponentProps<"input">;
  description: string;
  fee: number;
  currency: Currency;
};

function Method({ method, input, description, fee, currency }: MethodProps) {
  const { provider, enabled } = method;
  return (
    <label className={styles.card} data-off={!enabled || undefined}>
      <input {...input} type="radio" value={provider} disabled={!enabled} />
      <span className={styles.words}>
        <span className={styles.title}>{PAYMENT_NAMES[provider]()}</span>
        <small>{enabled ? description : m.notAvailableYet()}</small>
      </span>
      {fee > 0 && <span className={styles.fee}>+ {format(fee, currency)}</span>}
      <PaymentIcon provider={provider} />
    </label>
  );
}
