import type { ReactNode } from "react";
import type { Facets } from "../../lib/api.gen";
import { choiceOf, type ListingPage, starsAndUp } from "../../lib/finding/choice";
import { useChoice } from "../../lib/finding/use-choice";
import { useShop } from "../../lib/shop";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import styles from "./filters.module.css";
import { Kept } from "./kept";
import { Swatch } from "./swatch";
import { Radios, Tick, Ticks } from "./ticks";

// What these fields say themselves.
const OWN = ["category", "brand", "colour", "min", "max", "stock", "rating", "new", "offer"];

// Each choice with how many products it would leave. Applies at once.
export function Filters({ page, facets }: { page: ListingPage; facets: Facets }) {
  const choice = choiceOf(page);
  const { chosen } = choice;
  return (
    <form className={styles.filters} method="get" action={choice.path} data-live>
      <Kept choice={choice} except={OWN} />
      {page.page === "search" && (
        <Group title="Category">
          <Radios
            name="category"
            said={choice.category ?? ""}
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
          <Ticks name="brand" counts={facets.brands} on={chosen.brands} />
        </Group>
      )}
      {facets.colours.length > 0 && (
        <Group title="Colour">
          <Ticks
            name="colour"
            counts={facets.colours}
            on={chosen.colours}
            mark={(colour) => <Swatch colour={colour} />}
          />
        </Group>
      )}
      <Group title="Rating">
        <Radios
          name="rating"
          said={String(chosen.rating ?? "")}
          any="Any rating"
          options={facets.ratings.map(({ rating, count }) => ({
            value: String(rating),
            label: starsAndUp(rating),
            count,
          }))}
        />
      </Group>
      <Group title="Availability">
        <Tick name="stock" value="in" on={chosen.inStock} count={facets.inStock}>
          In stock
        </Tick>
      </Group>
      <Group title="New arrivals">
        <Tick name="new" value="1" on={chosen.new} count={facets.new}>
          Last 30 days
        </Tick>
      </Group>
      <Group title="Offers">
        <Tick name="offer" value="1" on={chosen.onOffer} count={facets.onOffer}>
          On offer now
        </Tick>
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
        <Amount label="From" name="min" said={min} hint={span && Math.floor(span.lowest)} />
        <Amount label="To" name="max" said={max} hint={span && Math.ceil(span.highest)} />
      </div>
    </Group>
  );
}

type AmountProps = { label: string; name: string; said: number | null; hint: number | null };

function Amount({ label, name, said, hint }: AmountProps) {
  const [amount, setAmount] = useChoice(said === null ? "" : String(said));
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
