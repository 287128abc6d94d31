import * as common from "messages/common";
import * as m from "messages/search";
import type { ReactNode } from "react";
import type { Facets, NamedValue, ValueCounts } from "../../../lib/api.gen";
import { currencySign } from "../../../lib/money";
import { digits } from "../../../lib/numbers";
import { useShop } from "../../../lib/shop-context";
import { Button } from "../../../ui/button";
import { Field } from "../../../ui/field";
import { usePendingValue } from "../../../ui/use-pending-value";
import { CheckboxList, CheckboxOption, RadioList } from "../checkbox-list";
import { type ListingPage, listingQuery, namedValue } from "../listing-query";
import { Swatch } from "../swatch";
import styles from "./filters.module.css";
import { HiddenParams } from "./hidden-params";

// The parameters that this form has fields for.
const OWN = [
  "category",
  "brand",
  "colour",
  "option",
  "attribute",
  "min",
  "max",
  "stock",
  "rating",
  "new",
  "offer",
];

// The facets as a form, each option with its number of products. Applies on change.
export function Filters({ page, facets }: { page: ListingPage; facets: Facets }) {
  const query = listingQuery(page);
  const { chosen } = query;
  return (
    <form className={styles.filters} method="get" action={query.path} data-live>
      <HiddenParams query={query} except={OWN} />
      {page.page === "search" && (
        <Group title={common.category()}>
          <RadioList
            name="category"
            current={query.category ?? ""}
            any={m.allCategories()}
            options={facets.categories.map(({ _id, name, count }) => ({
              value: _id,
              label: name,
              count,
            }))}
          />
        </Group>
      )}
      <Prices min={chosen.min} max={chosen.max} span={facets.price} />
      {facets.brands.length > 0 && (
        <Group title={common.brand()}>
          <CheckboxList name="brand" counts={facets.brands} on={chosen.brands} />
        </Group>
      )}
      {facets.colours.length > 0 && (
        <Group title={m.colour()}>
          <CheckboxList
            name="colour"
            counts={facets.colours}
            on={chosen.colours}
            mark={(colour) => <Swatch colour={colour} />}
          />
        </Group>
      )}
      <NamedValues name="option" facets={facets.options} chosen={chosen.options} />
      <NamedValues name="attribute" facets={facets.attributes} chosen={chosen.attributes} />
      <Group title={m.rating()}>
        <RadioList
          name="rating"
          current={String(chosen.rating ?? "")}
          any={m.anyRating()}
          options={facets.ratings.map(({ rating, count }) => ({
            value: String(rating),
            label: m.starsAndUp({ rating }),
            count,
          }))}
        />
      </Group>
      <Group title={m.availability()}>
        <CheckboxOption name="stock" value="in" on={chosen.inStock} count={facets.inStock}>
          {common.inStock()}
        </CheckboxOption>
      </Group>
      <Group title={m.newArrivals()}>
        <CheckboxOption name="new" value="1" on={chosen.new} count={facets.new}>
          {m.lastDays()}
        </CheckboxOption>
      </Group>
      <Group title={m.offers()}>
        <CheckboxOption name="offer" value="1" on={chosen.onOffer} count={facets.onOffer}>
          {m.onOfferNow()}
        </CheckboxOption>
      </Group>
      <span className="without-js">
        <Button type="submit">{m.applyFilters()}</Button>
      </span>
    </form>
  );
}

type NamedValuesProps = {
  name: "option" | "attribute";
  facets: ValueCounts[];
  chosen: NamedValue[];
};

// A group for each option or attribute.
function NamedValues({ name: param, facets, chosen }: NamedValuesProps) {
  return facets.map(({ name, label, values }) => (
    <Group key={name} title={label ?? name}>
      <CheckboxList
        name={param}
        counts={values.map(({ value, name: shown = value, count }) => ({
          value: namedValue({ name, value }),
          name: shown,
          count,
        }))}
        on={chosen.map(namedValue)}
      />
    </Group>
  ));
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend className={styles.title}>{title}</legend>
      {children}
    </fieldset>
  );
}

type PricesProps = { min: number | null; max: number | null; span: Facets["price"] };

function Prices({ min, max, span }: PricesProps) {
  const { currency } = useShop();
  return (
    <Group title={m.price({ currency: currencySign(currency) })}>
      <div className={styles.prices}>
        <Amount label={m.from()} name="min" current={min} hint={span && Math.floor(span.lowest)} />
        <Amount label={m.to()} name="max" current={max} hint={span && Math.ceil(span.highest)} />
      </div>
    </Group>
  );
}

type AmountProps = { label: string; name: string; current: number | null; hint: number | null };

// No type="number": it takes no digits but 0 to 9. The server reads those of any language.
function Amount({ label, name, current, hint }: AmountProps) {
  const [amount, setAmount] = usePendingValue(current === null ? "" : digits(current));
  return (
    <Field
      label={label}
      name={name}
      inputMode="numeric"
      pattern="\p{Nd}*"
      maxLength={9}
      autoComplete="off"
      placeholder={hint === null ? undefined : digits(hint)}
      value={amount}
      onChange={(event) => setAmount(event.currentTarget.value)}
    />
  );
}
