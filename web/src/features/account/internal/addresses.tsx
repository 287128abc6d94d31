import * as m from "messages/account";
import * as auth from "messages/auth";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { Address, NewAddress } from "../../../lib/api.gen";
import { toast } from "../../../lib/toast";
import { useAsync } from "../../../lib/use-async";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { LoadError } from "../../../ui/empty-state";
import { Field } from "../../../ui/field";
import { Skeleton } from "../../../ui/skeleton";
import { TextArea } from "../../../ui/text-area";
import { hidden } from "../../../ui/visually-hidden";
import {
  checkAddress,
  checkPhone,
  LONGEST_ADDRESS,
  LONGEST_NAME,
  LONGEST_PHONE,
  listAddresses,
  removeAddress,
  saveAddress,
} from "../../addresses/addresses";
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
  const { _id: id, ...rest } = address;
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
                runAction(() => saveAddress({ ...rest, usual: true }, id), m.madeUsual())
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

function Form({ address, name, saved }: FormProps) {
  const form = useForm<Required<NewAddress>>({
    defaultValues: address ?? { name, phone: "", address: "", usual: false },
  });
  const { errors } = form.formState;

  async function send(values: Required<NewAddress>) {
    return saveAddress(typedAddress(values), address?._id ?? null).then(
      (all) => {
        saved(all);
        return null;
      },
      (why) => shopFailure(why),
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
        error={errors.phone?.message}
        {...form.register("phone", { validate: checkPhone })}
      />
      <TextArea
        label={m.address()}
        autoComplete="street-address"
        rows={3}
        maxLength={LONGEST_ADDRESS}
        error={errors.address?.message}
        {...form.register("address", { validate: checkAddress })}
      />
      {!address?.usual && (
        <label className={styles.tick}>
          <input type="checkbox" {...form.register("usual")} />
          {m.sendHere()}
        </label>
      )}
    </AccountForm>
  );
}
