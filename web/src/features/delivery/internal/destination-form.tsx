import * as addresses from "messages/addresses";
import * as common from "messages/common";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { AddressForm, AddressFormField, AddressRegion } from "../../../lib/api.gen";
import { digits } from "../../../lib/numbers";
import { useShop } from "../../../lib/shop-context";
import { Button } from "../../../ui/button";
import { Field } from "../../../ui/field";
import { Select } from "../../../ui/select";
import { Skeleton } from "../../../ui/skeleton";
import { useAddressForm } from "../../addresses/address-form";
import { addressLabel } from "../../addresses/address-labels";
import { choices, emptyParts, fitParts } from "../../addresses/address-parts";
import { type Destination, deliveryChoice } from "../../cart/delivery-choice";
import styles from "../delivery-section.module.css";
import { destinationFields } from "./destination-fields";

type Props = { destination: Destination; close: () => void };

// The parts of an address that delivery depends on. Not a <form>, like that for discount codes.
export function DestinationForm({ destination, close }: Props) {
  const { countries } = useShop();
  const [typed, setTyped] = useState(destination);
  const { value: form, failed, retry } = useAddressForm(typed.country);
  const frame = useRef<HTMLDivElement>(null);
  const isLoaded = form?.country === typed.country;

  const isFocused = useRef(false);

  // The first field: where there is one country, it is loaded first.
  useEffect(() => {
    if (isFocused.current || (countries.length < 2 && !isLoaded)) return;
    isFocused.current = true;
    frame.current?.querySelector<HTMLElement>("select, input")?.focus();
  }, [countries.length, isLoaded]);

  function change(part: Partial<Destination>) {
    const next = { ...typed, ...part };
    setTyped(isLoaded && part.country === undefined ? fitted(next, form) : next);
  }

  function apply() {
    deliveryChoice.setDestination(isLoaded ? fitted(typed, form) : typed);
    close();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape") close();
    const isField = event.target instanceof HTMLInputElement;
    if (event.key !== "Enter" || !isField || event.nativeEvent.isComposing) return;
    event.preventDefault();
    apply();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the fields within.
    <div ref={frame} className={styles.form} onKeyDown={onKeyDown}>
      {countries.length > 1 && (
        <Select
          label={addresses.country()}
          wide
          value={typed.country}
          options={countries.map(({ code, name }) => ({ value: code, label: name }))}
          onChange={({ target }) =>
            setTyped({ country: target.value, region: "", district: "", postcode: "" })
          }
        />
      )}
      {failed && (
        <div className={styles.failed} role="alert">
          <p>{addresses.notLoaded()}</p>
          <Button quiet onClick={retry}>
            {common.retry()}
          </Button>
        </div>
      )}
      {!failed && !isLoaded && <Skeleton height="9rem" />}
      {!failed && isLoaded && <Parts form={form} typed={typed} change={change} />}
      <div className={styles.actions}>
        <Button onClick={apply}>{common.apply()}</Button>
        <Button quiet onClick={close}>
          {common.cancel()}
        </Button>
      </div>
    </div>
  );
}

type PartsProps = {
  form: AddressForm;
  typed: Destination;
  change: (part: Partial<Destination>) => void;
};

function Parts({ form, typed, change }: PartsProps) {
  const lists = choices(form, { ...emptyParts(), ...typed });
  return destinationFields(form).map((field) =>
    field.field === "postcode" ? (
      <Field
        key={field.field}
        label={addresses.optional({ label: addressLabel(field) })}
        autoComplete="shipping postal-code"
        autoCapitalize="characters"
        maxLength={20}
        placeholder={digits(form.postcodeExample ?? "")}
        value={typed.postcode}
        onChange={({ target }) => change({ postcode: target.value })}
      />
    ) : (
      <PlaceSelect
        key={field.field}
        field={field}
        places={lists[field.field as "region" | "district"]}
        value={typed[field.field as "region" | "district"]}
        onChoose={(key) => change({ [field.field]: key })}
      />
    ),
  );
}

type PlaceProps = {
  field: AddressFormField;
  places: AddressRegion[];
  value: string;
  onChoose: (key: string) => void;
};

function PlaceSelect({ field, places, value, onChoose }: PlaceProps) {
  const options = places.map(({ key, name }) => ({ value: key, label: name }));
  return (
    <Select
      label={addressLabel(field)}
      wide
      value={value}
      options={[{ value: "", label: addresses.choose() }, ...options]}
      disabled={places.length === 0}
      onChange={({ target }) => onChoose(target.value)}
    />
  );
}

// Without a district of another region.
function fitted(typed: Destination, form: AddressForm): Destination {
  const { country, region, district, postcode } = fitParts({ ...emptyParts(), ...typed }, form);
  return { country, region, district, postcode };
}
