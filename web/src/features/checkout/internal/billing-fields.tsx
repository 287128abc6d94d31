import * as m from "messages/checkout";
import { useEffect, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { PaymentProvider } from "../../../lib/api.gen";
import { truncate } from "../../../lib/text";
import { Field } from "../../../ui/field";
import { Select } from "../../../ui/select";
import { TextArea } from "../../../ui/text-area";
import {
  checkAddress,
  checkPhone,
  LONGEST_ADDRESS,
  LONGEST_NAME,
  LONGEST_PHONE,
  listAddresses,
} from "../../addresses/addresses";
import { checkName } from "../../auth/validation";
import { listOrders } from "../../orders/orders-api";
import { type SavedAddress, savedAddresses, splitName } from "../billing-rules";
import styles from "../checkout.module.css";

export type Billing = {
  // The full name, or the first name with `split`.
  name: string;
  lastName: string;
  phone: string;
  address: string;
  payment: PaymentProvider;
  // Whether to spend store credit.
  credit: boolean;
};

type Props = { form: UseFormReturn<Billing>; email: string; split: boolean };

export function BillingFields({ form, email, split }: Props) {
  const { errors } = form.formState;
  const addresses = useSavedAddresses(form, split);
  return (
    <section className={styles.billing} aria-labelledby="billing">
      <h2 id="billing">{m.billingDetails()}</h2>
      <div className={styles.fields}>
        {split ? (
          <>
            <Field
              label={m.firstName()}
              autoComplete="given-name"
              required
              maxLength={LONGEST_NAME / 2}
              error={errors.name?.message}
              {...form.register("name", { validate: checkName })}
            />
            <Field
              label={m.lastName()}
              autoComplete="family-name"
              required
              maxLength={LONGEST_NAME / 2 - 1}
              error={errors.lastName?.message}
              {...form.register("lastName", {
                validate: (name) => name.trim() !== "" || m.lastNameRequired(),
              })}
            />
          </>
        ) : (
          <div className={styles.wide}>
            <Field
              label={m.name()}
              autoComplete="name"
              required
              maxLength={LONGEST_NAME}
              error={errors.name?.message}
              {...form.register("name", { validate: checkName })}
            />
          </div>
        )}
        <Field label={m.email()} type="email" autoComplete="email" readOnly value={email}>
          <p className={styles.help}>{m.emailHelp()}</p>
        </Field>
        <Field
          label={m.phone()}
          type="tel"
          autoComplete="tel"
          required
          maxLength={LONGEST_PHONE}
          error={errors.phone?.message}
          {...form.register("phone", { validate: checkPhone })}
        />
        {addresses.length > 1 && (
          <div className={styles.wide}>
            <Select
              label={m.rememberedAddresses()}
              wide
              options={addresses.map(({ address }, index) => ({
                value: String(index),
                label: truncate(address.replace(/\s+/g, " "), 80),
              }))}
              onChange={(event) => fillIn(form, split, addresses[Number(event.target.value)])}
            />
          </div>
        )}
        <div className={styles.wide}>
          <TextArea
            label={m.address()}
            autoComplete="street-address"
            required
            rows={3}
            maxLength={LONGEST_ADDRESS}
            error={errors.address?.message}
            {...form.register("address", { validate: checkAddress })}
          />
        </div>
      </div>
    </section>
  );
}

// The address book and addresses of earlier orders. The first is filled in, unless something was
// typed meanwhile.
function useSavedAddresses(form: UseFormReturn<Billing>, split: boolean): SavedAddress[] {
  const [addresses, setAddresses] = useState<SavedAddress[]>([]);
  const { getValues } = form;
  useEffect(() => {
    let here = true;
    // What cannot be loaded has to be typed.
    const book = listAddresses().catch(() => []);
    const orders = listOrders(50).then(
      (page) => page.orders,
      () => [],
    );
    void Promise.all([book, orders]).then(([book, orders]) => {
      if (!here) return;
      const found = savedAddresses(book, orders);
      setAddresses(found);
      const { phone, address } = getValues();
      if (phone === "" && address === "") fillIn(form, split, found[0]);
    });
    return () => {
      here = false;
    };
  }, [form, split, getValues]);
  return addresses;
}

function fillIn(
  form: UseFormReturn<Billing>,
  split: boolean,
  saved: SavedAddress | undefined,
): void {
  if (saved === undefined) return;
  const { isSubmitted } = form.formState;
  if (saved.name !== undefined) {
    const { first, last } = splitName(saved.name);
    form.setValue("name", split ? first : saved.name, { shouldValidate: isSubmitted });
    if (split) form.setValue("lastName", last, { shouldValidate: isSubmitted });
  }
  form.setValue("phone", saved.phone, { shouldValidate: isSubmitted });
  form.setValue("address", saved.address, { shouldValidate: isSubmitted });
}
