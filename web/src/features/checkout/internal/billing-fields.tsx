import * as addressMessages from "messages/addresses";
import * as m from "messages/checkout";
import { useCallback, useEffect, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { PaymentProvider } from "../../../lib/api.gen";
import { useShop } from "../../../lib/shop-context";
import { truncate } from "../../../lib/text";
import { Field } from "../../../ui/field";
import { Select } from "../../../ui/select";
import { TextArea } from "../../../ui/text-area";
import { AddressFields } from "../../addresses/address-fields";
import { loadedForm, usePhoneExample } from "../../addresses/address-form";
import { fitParts, type TypedParts, typedParts } from "../../addresses/address-parts";
import {
  checkAddress,
  checkPhone,
  LONGEST_ADDRESS,
  LONGEST_NAME,
  LONGEST_PHONE,
  listAddresses,
  requirePhone,
} from "../../addresses/addresses";
import { checkEmail, checkName } from "../../auth/validation";
import { isSameDestination } from "../../cart/delivery-choice";
import { listOrders } from "../../orders/orders-api";
import { type SavedAddress, savedAddresses, splitName } from "../billing-rules";
import styles from "../checkout.module.css";
import type { TypedRecipients } from "./recipients";

const LONGEST_EMAIL = 254;

export type Billing = {
  // The full name, or the first name with `split`.
  name: string;
  lastName: string;
  phone: string;
  // Of a guest, who may leave it out.
  email: string;
  // Of a guest, where the order needs one.
  phoneCode: string;
  // Where an address is a text, else `parts`.
  address: string;
  parts: TypedParts;
  payment: PaymentProvider;
  // Of the gift cards in the cart.
  recipients: TypedRecipients;
  // Whether to spend store credit.
  credit: boolean;
};

// `email`: the account's; null for a guest.
type Props = { form: UseFormReturn<Billing>; email: string | null; split: boolean };

export function BillingFields({ form, email, split }: Props) {
  const { errors } = form.formState;
  const { countries, sendsSms } = useShop();
  const inParts = countries.length > 0;
  const fillIn = useFillIn(form, split);
  const addresses = useSavedAddresses(form, fillIn, email !== null);
  const phoneExample = usePhoneExample(form.watch("parts.country"));
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
        {email !== null && (
          <Field label={m.email()} type="email" autoComplete="email" readOnly value={email}>
            <p className={styles.help}>{m.emailHelp()}</p>
          </Field>
        )}
        <Field
          label={m.phone()}
          type="tel"
          autoComplete="tel"
          required
          maxLength={LONGEST_PHONE}
          placeholder={phoneExample}
          error={errors.phone?.message}
          {...form.register("phone", { validate: inParts ? requirePhone : checkPhone })}
        />
        {email === null && (
          <Field
            label={addressMessages.optional({ label: m.email() })}
            type="email"
            autoComplete="email"
            maxLength={LONGEST_EMAIL}
            error={errors.email?.message}
            {...form.register("email", {
              validate: (email) => email.trim() === "" || checkEmail(email),
            })}
          >
            <p className={styles.help}>
              {sendsSms && inParts ? m.guestEmailOrTextHelp() : m.guestEmailHelp()}
            </p>
          </Field>
        )}
        {addresses.length > 1 && (
          <div className={styles.wide}>
            <Select
              label={m.rememberedAddresses()}
              wide
              options={addresses.map(({ address }, index) => ({
                value: String(index),
                label: truncate(inOneLine(address, inParts), 80),
              }))}
              onChange={(event) => fillIn(addresses[Number(event.target.value)])}
            />
          </div>
        )}
        <div className={styles.wide}>
          {inParts ? (
            <AddressFields form={form} />
          ) : (
            <TextArea
              label={m.address()}
              autoComplete="street-address"
              required
              rows={3}
              maxLength={LONGEST_ADDRESS}
              error={errors.address?.message}
              {...form.register("address", { validate: checkAddress })}
            />
          )}
        </div>
      </div>
    </section>
  );
}

// The lines that the server writes have no commas between them.
function inOneLine(address: string, inParts: boolean): string {
  return address.replace(/\n/g, inParts ? ", " : " ").replace(/\s+/g, " ");
}

type FillIn = (saved: SavedAddress | undefined) => void;

// The address book and addresses of earlier orders. The first is filled in, unless something was
// typed meanwhile.
function useSavedAddresses(
  form: UseFormReturn<Billing>,
  fillIn: FillIn,
  hasAccount: boolean,
): SavedAddress[] {
  const [addresses, setAddresses] = useState<SavedAddress[]>([]);
  const { getValues } = form;
  const [start] = useState(() => getValues("parts"));
  useEffect(() => {
    if (!hasAccount) return;
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
      const { phone, address, parts } = getValues();
      const { lines, city, ...destination } = parts;
      const isTyped = [phone, address, lines, city].some((text) => text !== "");
      // It may have been chosen in the cart.
      if (!isTyped && isSameDestination(destination, start)) fillIn(found[0]);
    });
    return () => {
      here = false;
    };
  }, [fillIn, getValues, start, hasAccount]);
  return addresses;
}

function useFillIn(form: UseFormReturn<Billing>, split: boolean): FillIn {
  const { countries } = useShop();
  return useCallback(
    (saved) => {
      if (saved === undefined) return;
      const shouldValidate = form.formState.isSubmitted;
      if (saved.name !== undefined) {
        const { first, last } = splitName(saved.name);
        form.setValue("name", split ? first : saved.name, { shouldValidate });
        if (split) form.setValue("lastName", last, { shouldValidate });
      }
      form.setValue("phone", saved.phone, { shouldValidate });
      if (countries.length === 0) {
        form.setValue("address", saved.address, { shouldValidate });
        return;
      }
      const parts = typedParts(saved, countries);
      const loaded = loadedForm(parts.country);
      form.setValue("parts", loaded ? fitParts(parts, loaded) : parts, { shouldValidate });
    },
    [form, split, countries],
  );
}
