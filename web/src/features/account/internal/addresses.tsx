import * as m from "messages/account";
import * as auth from "messages/auth";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { Address, ErrorDetail } from "../../../lib/api.gen";
import { useShop } from "../../../lib/shop-context";
import { toast } from "../../../lib/toast";
import { useAsync } from "../../../lib/use-async";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { LoadError } from "../../../ui/empty-state";
import { Field } from "../../../ui/field";
import { Skeleton } from "../../../ui/skeleton";
import { TextArea } from "../../../ui/text-area";
import { hidden } from "../../../ui/visually-hidden";
import { AddressFields } from "../../addresses/address-fields";
import { usePhoneExample } from "../../addresses/address-form";
import {
  emptyParts,
  partsToSend,
  type TypedParts,
  typedParts,
} from "../../addresses/address-parts";
import {
  checkAddress,
  checkPhone,
  LONGEST_ADDRESS,
  LONGEST_NAME,
  LONGEST_PHONE,
  listAddresses,
  removeAddress,
  requirePhone,
  saveAddress,
} from "../../addresses/addresses";
import { askedFields, showFieldErrors } from "../../addresses/field-errors";
import { AccountForm } from "../../auth/account-form";
import type { User } from "../../auth/identity";
import { checkName } from "../../auth/validation";
import styles from "../profile.module.css";
import { shopFailure } from "../profile-api";
import { ErrorText, ProfileSection, useAction } from "./profile-section";
import { typedAddress } from "./typed-address";

const MOST = 20;

export function Addresses({ user }: { user: User }) {
  const { value, failed, retry, replace } = useAsync(listAddresses);
  // "new", or the address being edited.
  const [open, setOpen] = useState<Address | "new" | null>(null);
  const editing = open === null ? "" : m.changeAddress();
  const title = open === "new" ? m.addAddress() : editing;
  return (
    <ProfileSection title={m.addresses()} text={m.addressesText()}>
      {failed && <LoadError title={m.addressesNotLoaded()} retry={retry} />}
      {!failed && value === null && <Skeleton height="6rem" />}
      {value !== null && value.length > 0 && (
        <ul className={styles.list}>
          {value.map((address) => (
            <Row
              key={address._id}
              address={address}
              edit={() => setOpen(address)}
              replace={replace}
            />
          ))}
        </ul>
      )}
      {value?.length === 0 && <p className={styles.small}>{m.noAddresses()}</p>}
      {value !== null && value.length < MOST && (
        <div className={styles.stack}>
          <Button quiet onClick={() => setOpen("new")}>
            {m.addAddress()}
          </Button>
        </div>
      )}
      <Dialog open={open !== null} onClose={() => setOpen(null)} title={title} narrow>
        {open !== null && (
          <Form
            address={open === "new" ? null : open}
            name={user.displayName ?? ""}
            saved={(all) => {
              replace(all);
              setOpen(null);
              toast.success(m.addressSaved());
            }}
          />
        )}
      </Dialog>
    </ProfileSection>
  );
}

type RowProps = { address: Address; edit: () => void; replace: (all: Address[]) => void };

function Row({ address, edit, replace }: RowProps) {
  const { failed, run } = useAction();
  const runAction = (work: () => Promise<Address[]>, done: string) =>
    void run(
      () =>
        work()
          .then(replace)
          .then(() => null, shopFailure),
      done,
    );
  const { _id: id, name, phone, parts } = address;
  const place = parts ?? address.address;
  const which = { name: address.name, address: address.address, hidden };
  return (
    <li className={styles.item}>
      <div className={styles.details}>
        <p>
          {address.name}
          {address.usual && (
            <span className={styles.mark} data-tone="good">
              {m.usual()}
            </span>
          )}
        </p>
        <p className={styles.place}>{address.address}</p>
        <p className={styles.small}>{address.phone}</p>
        <div className={styles.row}>
          <button type="button" className={styles.plain} onClick={edit}>
            {m.editAddress(which)}
          </button>
          {!address.usual && (
            <button
              type="button"
              className={styles.plain}
              onClick={() =>
                runAction(
                  () => saveAddress({ name, phone, address: place, usual: true }, id),
                  m.madeUsual(),
                )
              }
            >
              {m.makeUsual(which)}
            </button>
          )}
          <button
            type="button"
            className={styles.plain}
            onClick={() => runAction(() => removeAddress(id), m.addressRemoved())}
          >
            {m.removeAddress(which)}
          </button>
        </div>
        <ErrorText failed={failed} />
      </div>
    </li>
  );
}

type FormProps = {
  address: Address | null;
  name: string;
  saved: (all: Address[]) => void;
};

// `address` where an address is a text, else `parts`.
type Values = {
  name: string;
  phone: string;
  address: string;
  parts: TypedParts;
  usual: boolean;
};

function Form({ address, name, saved }: FormProps) {
  const { countries } = useShop();
  const inParts = countries.length > 0;
  const form = useForm<Values>({
    defaultValues:
      address === null
        ? { name, phone: "", address: "", parts: emptyParts(countries[0]?.code), usual: false }
        : { ...address, parts: typedParts(address, countries) },
    shouldFocusError: !inParts,
  });
  const { errors } = form.formState;
  const phoneExample = usePhoneExample(form.watch("parts.country"));

  async function send({ parts, ...values }: Values) {
    const typed = { ...values, address: inParts ? partsToSend(parts) : values.address };
    return saveAddress(typedAddress(typed), address?._id ?? null).then(
      (all) => {
        saved(all);
        return null;
      },
      (why) => {
        const { fields = [] } = why as Partial<ErrorDetail>;
        const asked = inParts ? askedFields(countries, parts.country) : [];
        const shown = fields.length > 0 && showFieldErrors(form, fields, asked);
        return shown ? null : shopFailure(why);
      },
    );
  }

  return (
    <AccountForm form={form} send={send} submit={m.saveAddress()}>
      <Field
        label={auth.name()}
        autoComplete="name"
        maxLength={LONGEST_NAME}
        error={errors.name?.message}
        {...form.register("name", { validate: checkName })}
      />
      <Field
        label={m.phone()}
        type="tel"
        autoComplete="tel"
        maxLength={LONGEST_PHONE}
        placeholder={phoneExample}
        error={errors.phone?.message}
        {...form.register("phone", { validate: inParts ? requirePhone : checkPhone })}
      />
      {inParts ? (
        <AddressFields form={form} />
      ) : (
        <TextArea
          label={m.address()}
          autoComplete="street-address"
          rows={3}
          maxLength={LONGEST_ADDRESS}
          error={errors.address?.message}
          {...form.register("address", { validate: checkAddress })}
        />
      )}
      {!address?.usual && (
        <label className={styles.tick}>
          <input type="checkbox" {...form.register("usual")} />
          {m.sendHere()}
        </label>
      )}
    </AccountForm>
  );
}
