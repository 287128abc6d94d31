import { useEffect, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { checkName } from "../../lib/account-rules";
import type { PaymentProvider } from "../../lib/api.gen";
import {
  checkAddress,
  checkPhone,
  knownPlaces,
  LONGEST_ADDRESS,
  LONGEST_NAME,
  LONGEST_PHONE,
  type Place,
  splitName,
} from "../../lib/orders/billing";
import { listOrders } from "../../lib/orders/book";
import { listAddresses } from "../../lib/profile";
import { cut } from "../../lib/text";
import { Field } from "../../ui/field";
import { Select } from "../../ui/select";
import { TextArea } from "../../ui/text-area";
import styles from "./checkout.module.css";

export type Billing = {
  // The whole name, or the first where the form asks for both.
  name: string;
  lastName: string;
  phone: string;
  address: string;
  payment: PaymentProvider;
  // Whether store credit is spent.
  credit: boolean;
};

type Props = { form: UseFormReturn<Billing>; email: string; split: boolean };

export function BillingFields({ form, email, split }: Props) {
  const { errors } = form.formState;
  const places = usePlaces(form, split);
  return (
    <section className={styles.billing} aria-labelledby="billing">
      <h2 id="billing">Billing details</h2>
      <div className={styles.fields}>
        {split ? (
          <>
            <Field
              label="First name"
              autoComplete="given-name"
              required
              maxLength={LONGEST_NAME / 2}
              fault={errors.name?.message}
              {...form.register("name", { validate: checkName })}
            />
            <Field
              label="Last name"
              autoComplete="family-name"
              required
              maxLength={LONGEST_NAME / 2 - 1}
              fault={errors.lastName?.message}
              {...form.register("lastName", {
                validate: (name) => name.trim() !== "" || "Last name is required",
              })}
            />
          </>
        ) : (
          <div className={styles.wide}>
            <Field
              label="Name"
              autoComplete="name"
              required
              maxLength={LONGEST_NAME}
              fault={errors.name?.message}
              {...form.register("name", { validate: checkName })}
            />
          </div>
        )}
        <Field label="Email" type="email" autoComplete="email" readOnly value={email}>
          <p className={styles.help}>The order belongs to this address.</p>
        </Field>
        <Field
          label="Phone"
          type="tel"
          autoComplete="tel"
          required
          maxLength={LONGEST_PHONE}
          fault={errors.phone?.message}
          {...form.register("phone", { validate: checkPhone })}
        />
        {places.length > 1 && (
          <div className={styles.wide}>
            <Select
              label="Remembered addresses"
              wide
              options={places.map(({ address }, place) => ({
                value: String(place),
                label: cut(address.replace(/\s+/g, " "), 80),
              }))}
              onChange={(event) => fillIn(form, split, places[Number(event.target.value)])}
            />
          </div>
        )}
        <div className={styles.wide}>
          <TextArea
            label="Address"
            autoComplete="street-address"
            required
            rows={3}
            maxLength={LONGEST_ADDRESS}
            fault={errors.address?.message}
            {...form.register("address", { validate: checkAddress })}
          />
        </div>
      </div>
    </section>
  );
}

// The address book, and where earlier orders went. The first is filled in, unless something was typed
// before it was known.
function usePlaces(form: UseFormReturn<Billing>, split: boolean): Place[] {
  const [places, setPlaces] = useState<Place[]>([]);
  const { getValues } = form;
  useEffect(() => {
    let here = true;
    // What cannot be had is typed.
    const book = listAddresses().catch(() => []);
    const orders = listOrders(50).then(
      (page) => page.orders,
      () => [],
    );
    void Promise.all([book, orders]).then(([book, orders]) => {
      if (!here) return;
      const known = knownPlaces(book, orders);
      setPlaces(known);
      const { phone, address } = getValues();
      if (phone === "" && address === "") fillIn(form, split, known[0]);
    });
    return () => {
      here = false;
    };
  }, [form, split, getValues]);
  return places;
}

function fillIn(form: UseFormReturn<Billing>, split: boolean, place: Place | undefined): void {
  if (place === undefined) return;
  const { isSubmitted } = form.formState;
  if (place.name !== undefined) {
    const { first, last } = splitName(place.name);
    form.setValue("name", split ? first : place.name, { shouldValidate: isSubmitted });
    if (split) form.setValue("lastName", last, { shouldValidate: isSubmitted });
  }
  form.setValue("phone", place.phone, { shouldValidate: isSubmitted });
  form.setValue("address", place.address, { shouldValidate: isSubmitted });
}
