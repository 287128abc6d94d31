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

const MOST = 20;

export function Addresses({ user }: { user: User }) {
  const { value, failed, retry, replace } = useAsync(listAddresses);
  // "new", or the address being edited.
  const [open, setOpen] = useState<Address | "new" | null>(null);
  const editing = open === null ? "" : "Change the address";
  const title = open === "new" ? "Add an address" : editing;
  return (
    <ProfileSection title="Addresses" text="The usual one is filled in when you order.">
      {failed && <LoadError what="Your addresses" retry={retry} />}
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
      {value?.length === 0 && <p className={styles.small}>There is none yet.</p>}
      {value !== null && value.length < MOST && (
        <div className={styles.stack}>
          <Button quiet onClick={() => setOpen("new")}>
            Add an address
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
              toast.success("The address is saved.");
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
  const addressLabel = (
    <span className="visually-hidden">
      {" "}
      {address.name}, {address.address}
    </span>
  );
  return (
    <li className={styles.item}>
      <div className={styles.details}>
        <p>
          {address.name}
          {address.usual && (
            <span className={styles.mark} data-tone="good">
              Usual
            </span>
          )}
        </p>
        <p className={styles.place}>{address.address}</p>
        <p className={styles.small}>{address.phone}</p>
        <div className={styles.row}>
          <button type="button" className={styles.plain} onClick={edit}>
            Edit{addressLabel}
          </button>
          {!address.usual && (
            <button
              type="button"
              className={styles.plain}
              onClick={() =>
                runAction(
                  () => saveAddress({ ...rest, usual: true }, id),
                  "It is the usual one now.",
                )
              }
            >
              Make it the usual one{addressLabel}
            </button>
          )}
          <button
            type="button"
            className={styles.plain}
            onClick={() => runAction(() => removeAddress(id), "The address is removed.")}
          >
            Remove{addressLabel}
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

  async function send({ name, phone, address: place, usual }: Required<NewAddress>) {
    const typed = { name: name.trim(), phone: phone.trim(), address: place.trim(), usual };
    return saveAddress(typed, address?._id ?? null).then(
      (all) => {
        saved(all);
        return null;
      },
      (why) => shopFailure(why),
    );
  }

  return (
    <AccountForm form={form} send={send} submit="Save the address">
      <Field
        label="Name"
        autoComplete="name"
        maxLength={LONGEST_NAME}
        error={errors.name?.message}
        {...form.register("name", { validate: checkName })}
      />
      <Field
        label="Phone"
        type="tel"
        autoComplete="tel"
        maxLength={LONGEST_PHONE}
        error={errors.phone?.message}
        {...form.register("phone", { validate: checkPhone })}
      />
      <TextArea
        label="Address"
        autoComplete="street-address"
        rows={3}
        maxLength={LONGEST_ADDRESS}
        error={errors.address?.message}
        {...form.register("address", { validate: checkAddress })}
      />
      {!address?.usual && (
        <label className={styles.tick}>
          <input type="checkbox" {...form.register("usual")} />
          This is where I usually have things sent
        </label>
      )}
    </AccountForm>
  );
}
