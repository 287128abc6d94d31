import * as m from "messages/search";
import { type ReactNode, useState } from "react";
import type { Count } from "../../lib/api.gen";
import { usePendingValue } from "../../ui/use-pending-value";
import { hidden } from "../../ui/visually-hidden";
import styles from "./checkbox-list.module.css";

const SHOWN_AT_ONCE = 8;

type CheckboxListProps = {
  name: string;
  counts: Count[];
  on: string[];
  // An element before the label.
  mark?: (value: string) => ReactNode;
};

// Checkboxes with counts. A long list is collapsed.
export function CheckboxList({ name, counts, on, mark }: CheckboxListProps) {
  const few = counts.slice(0, SHOWN_AT_ONCE);
  const rest = counts.slice(SHOWN_AT_ONCE);
  // The initial state: it does not collapse while in use.
  const [unfolded] = useState(() => rest.some(({ value }) => on.includes(value)));
  const options = (counts: Count[]) =>
    counts.map(({ value, name: label = value, count }) => (
      <CheckboxOption key={value} name={name} value={value} on={on.includes(value)} count={count}>
        {mark?.(value)}
        {label}
      </CheckboxOption>
    ));
  return (
    <>
      {options(few)}
      {rest.length > 0 && (
        <details className={styles.more} open={unfolded}>
          <summary>
            <span>{m.showAll({ count: counts.length })}</span>
            <span>{m.showFewer()}</span>
          </summary>
          {options(rest)}
        </details>
      )}
    </>
  );
}

type CheckboxOptionProps = {
  name: string;
  value: string;
  on: boolean;
  count: number;
  children: ReactNode;
};

export function CheckboxOption({ name, value, on, count, children }: CheckboxOptionProps) {
  const [checked, setChecked] = usePendingValue(on);
  return (
    <label className={styles.option}>
      <input
        type="checkbox"
        name={name}
        value={value}
        checked={checked}
        disabled={count === 0 && !checked}
        autoComplete="off"
        onChange={(event) => setChecked(event.currentTarget.checked)}
      />
      <span className={styles.name}>{children}</span>
      <Amount of={count} />
    </label>
  );
}

type RadioListProps = {
  name: string;
  current: string;
  // The label for no selection.
  any: string;
  options: { value: string; label: string; count: number }[];
};

// Radio buttons with counts; one or none is selected.
export function RadioList({ name, current, any, options }: RadioListProps) {
  const [selected, choose] = usePendingValue(current);
  return [{ value: "", label: any, count: null }, ...options].map(({ value, label, count }) => (
    <label key={value} className={styles.option}>
      <input
        type="radio"
        name={name}
        value={value}
        checked={value === selected}
        disabled={count === 0 && value !== selected}
        autoComplete="off"
        onChange={() => choose(value)}
      />
      <span className={styles.name}>{label}</span>
      {count !== null && <Amount of={count} />}
    </label>
  ));
}

function Amount({ of }: { of: number }) {
  return <span className={styles.count}>{m.amount({ count: of, hidden })}</span>;
}
