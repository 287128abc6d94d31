import type { ReactNode } from "react";
import type { Facets } from "../../../lib/api.gen";
import { useShop } from "../../../lib/shop-context";
import { Button } from "../../../ui/button";
import { Field } from "../../../ui/field";
import { usePendingValue } from "../../../ui/use-pending-value";
import { CheckboxList, CheckboxOption, RadioList } from "../checkbox-list";
import { type ListingPage, listingQuery, starsAndUp } from "../listing-query";
import { Swatch } from "../swatch";
import styles from "./filters.module.css";
import { HiddenParams } from "./hidden-params";

// The parameters that this form has fields for.
const OWN = ["category", "brand", "colour", "min", "max", "stock", "rating", "new", "offer"];

// The facets as a form, each option with its number of products. Applies on change.
export function Filters({ page, facets }: { page: ListingPage; facets: Facets }) {
  const query = listingQuery(page);
  const { chosen } = query;
  return (
    <form className={styles.filters} method="get" action={query.path} data-live>
      <HiddenParams query={query} except={OWN} />
      {page.page === "search" && (
        <Group title="Category">
          <RadioList
            name="category"
            current={query.category ?? ""}
            any="All categories"
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
        <Group title="Brand">
          <CheckboxList name="brand" counts={facets.brands} on={chosen.brands} />
        </Group>
      )}
      {facets.colours.length > 0 && (
        <Group title="Colour">
          <CheckboxList
            name="colour"
            counts={facets.colours}
            on={chosen.colours}
            mark={(colour) => <Swatch colour={colour} />}
          />
        </Group>
      )}
      <Group title="Rating">
        <RadioList
          name="rating"
          current={String(chosen.rating ?? "")}
          any="Any rating"
          options={facets.ratings.map(({ rating, count }) => ({
            value: String(rating),
            label: starsAndUp(rating),
            count,
          }))}
        />
      </Group>
      <Group title="Availability">
        <CheckboxOption name="stock" value="in" on={chosen.inStock} count={facets.inStock}>
          In stock
        </CheckboxOption>
      </Group>
      <Group title="New arrivals">
        <CheckboxOption name="new" value="1" on={chosen.new} count={facets.new}>
          Last 30 days
        </CheckboxOption>
      </Group>
      <Group title="Offers">
        <CheckboxOption name="offer" value="1" on={chosen.onOffer} count={facets.onOffer}>
          On offer now
        </CheckboxOption>
      </Group>
      <span className="without-js">
        <Button type="submit">Apply filters</Button>
      </span>
    </form>
  );
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
  const { shop } = useShop();
  return (
    <Group title={shop.currency === "USD" ? "Price" : "Price in US dollars"}>
      <div className={styles.prices}>
        <Amount label="From" name="min" current={min} hint={span && Math.floor(span.lowest)} />
        <Amount label="To" name="max" current={max} hint={span && Math.ceil(span.highest)} />
      </div>
    </Group>
  );
}

type AmountProps = { label: string; name: string; current: number | null; hint: number | null };

function Amount({ label, name, current, hint }: AmountProps) {
  const [amount, setAmount] = usePendingValue(current === null ? "" : String(current));
  return (
    <Field
      label={label}
      name={name}
      type="number"
      inputMode="numeric"
      min={0}
      max={100_000_000}
      step={1}
      autoComplete="off"
      placeholder={hint === null ? undefined : String(hint)}
      value={amount}
      onChange={(event) => setAmount(event.currentTarget.value)}
    />
  );
}
