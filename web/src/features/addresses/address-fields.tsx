import * as m from "messages/addresses";
import * as common from "messages/common";
import { useEffect, useId, useRef } from "react";
import {
  type Control,
  type UseFormReturn,
  useController,
  useFormState,
  useWatch,
} from "react-hook-form";
import type { AddressForm, AddressFormField, AddressRegion } from "../../lib/api.gen";
import { digits } from "../../lib/numbers";
import { useShop } from "../../lib/shop-context";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { Select } from "../../ui/select";
import { Skeleton } from "../../ui/skeleton";
import { TextArea } from "../../ui/text-area";
import styles from "./address-fields.module.css";
import { isLoaded, useAddressForm } from "./address-form";
import { addressLabel } from "./address-labels";
import {
  type AddressField,
  choices,
  fieldRows,
  fitParts,
  linesOf,
  listsDistricts,
  MOST_LINES,
  type TypedParts,
} from "./address-parts";

type WithParts = { phone: string; parts: TypedParts };

const LONGEST = 100;
const LONGEST_LINES = 600;
// The button that loads the fields again is one.
const INVALID = `[aria-invalid=true], .${styles.failed} button`;

// The parts of an address, in the form's `parts`: the country, and the fields that it has. The form has
// `shouldFocusError: false`, see below.
export function AddressFields<Values extends WithParts>(props: { form: UseFormReturn<Values> }) {
  // Types of forms are not covariant. Only these values are used here.
  const { control, getValues, setValue, clearErrors } =
    props.form as unknown as UseFormReturn<WithParts>;
  const parts = useWatch({ control, name: "parts" });
  const { countries } = useShop();
  const { value: form, failed, retry } = useAddressForm(parts.country);
  const country = useController({
    control,
    name: "parts.country",
    // A failure has its own message.
    rules: { validate: isLoaded },
  });

  const before = useRef(form);
  // biome-ignore lint/correctness/useExhaustiveDependencies: choosing a region changes the lists below it.
  useEffect(() => {
    const typed = getValues("parts");
    if (form === null || form.country !== typed.country) return;
    const fitted = fitParts(typed, form, before.current ?? form);
    before.current = form;
    for (const field of ["region", "district", "city"] as const)
      if (fitted[field] !== typed[field]) setValue(`parts.${field}`, fitted[field]);
  }, [form, parts.region, parts.district, getValues, setValue]);

  // The form itself would focus the field that was registered first, in whichever country.
  const fields = useRef<HTMLDivElement>(null);
  const { submitCount } = useFormState({ control });
  useEffect(() => {
    const invalid = fields.current?.closest("form")?.querySelector<HTMLElement>(INVALID);
    if (submitCount > 0) invalid?.focus();
  }, [submitCount]);

  const lists: Partial<Record<string, AddressRegion[]>> = form === null ? {} : choices(form, parts);
  const { onChange, ...select } = country.field;
  return (
    <div ref={fields} className={styles.address}>
      {countries.length > 1 && (
        <div>
          <Select
            label={m.country()}
            wide
            required
            autoComplete="shipping country"
            options={countries.map(({ code, name }) => ({ value: code, label: name }))}
            error={country.fieldState.error?.message || undefined}
            onChange={(event) => {
              clearErrors(["phone", "parts"]);
              onChange(event);
            }}
            {...select}
          />
        </div>
      )}
      {failed && (
        <div className={styles.failed} role="alert">
          <p>{m.notLoaded()}</p>
          <Button quiet onClick={retry}>
            {common.retry()}
          </Button>
        </div>
      )}
      {!failed && form === null && <Skeleton height="19rem" />}
      {!failed &&
        form !== null &&
        fieldRows(form).map((row) => (
          <div
            key={row.map(({ field }) => field).join()}
            className={styles.row}
            data-short={row.length === 1 && row[0]?.field !== "lines"}
            aria-busy={form.country !== parts.country}
          >
            {row.map((field) => (
              <Part
                key={field.field}
                control={control}
                form={form}
                shown={field}
                places={lists[field.field] ?? []}
              />
            ))}
          </div>
        ))}
    </div>
  );
}

type PartProps = {
  control: Control<WithParts>;
  form: AddressForm;
  shown: AddressFormField;
  // To choose from.
  places: AddressRegion[];
};

function Part({ control, form, shown, places }: PartProps) {
  const list = useId();
  const field = shown.field as AddressField;
  const name = addressLabel(shown);
  const isRegion = field === "region" && form.regions.length > 0;
  const isDistrict = field === "district" && listsDistricts(form);
  // For the region to be chosen.
  const waits = isDistrict && places.length === 0;
  const { field: input, fieldState } = useController({
    control,
    name: `parts.${field}`,
    rules: { validate: (text) => waits || checkPart(shown, text) },
  });
  const shared = {
    ...input,
    // Most fields are required, so the others are marked.
    label: shown.required ? name : m.optional({ label: name }),
    required: shown.required,
    autoComplete: `shipping ${autoComplete(field, form)}`,
    error: fieldState.error?.message,
  };
  if (field === "lines") return <TextArea rows={3} maxLength={LONGEST_LINES} {...shared} />;
  if (isRegion || isDistrict) {
    const options = places.map(({ key, name }) => ({ value: key, label: name }));
    return (
      <div>
        <Select
          wide
          {...shared}
          options={[{ value: "", label: m.choose() }, ...options]}
          disabled={waits}
        />
      </div>
    );
  }
  if (field === "postcode") {
    const example = form.postcodeExample ?? "";
    return (
      <Field
        {...shared}
        maxLength={LONGEST}
        inputMode={/^\d+$/.test(example) ? "numeric" : "text"}
        autoCapitalize="characters"
        placeholder={digits(example)}
      />
    );
  }
  return (
    <Field
      {...shared}
      maxLength={LONGEST}
      list={places.length > 0 ? list : undefined}
      placeholder={places.length > 0 ? m.chooseOrType() : undefined}
      end={
        <datalist id={list}>
          {places.map(({ key, name }) => (
            <option key={key} value={name} />
          ))}
        </datalist>
      }
    />
  );
}

function checkPart(shown: AddressFormField, text: string): true | string {
  if (shown.required && text.trim() === "") return m.required({ label: addressLabel(shown) });
  const lines = shown.field === "lines" ? linesOf(text) : [];
  return lines.length <= MOST_LINES || m.tooManyLines({ most: MOST_LINES });
}

// The levels of the autofill specification: 1 is the region, the next is below it.
function autoComplete(field: AddressField, form: AddressForm): string {
  const below = listsDistricts(form);
  switch (field) {
    case "lines":
      return "street-address";
    case "region":
      return "address-level1";
    case "district":
      return below ? "address-level2" : "address-level3";
    case "city":
      return below ? "address-level3" : "address-level2";
    case "postcode":
      return "postal-code";
  }
}
