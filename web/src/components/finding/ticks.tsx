import { type ReactNode, useState } from "react";
import type { Count } from "../../lib/api.gen";
import { useChoice } from "../../lib/finding/use-choice";
import { grouped } from "../../lib/money";
import styles from "./ticks.module.css";

const SHOWN_AT_ONCE = 8;

type TicksProps = {
  name: string;
  counts: Count[];
  on: string[];
  // What stands before a choice's name.
  mark?: (value: string) => ReactNode;
};

// Any of them may be on. A long list starts short.
export function Ticks({ name, counts, on, mark }: TicksProps) {
  const few = counts.slice(0, SHOWN_AT_ONCE);
  const rest = counts.slice(SHOWN_AT_ONCE);
  // As it was at first: it does not fold up over what was just unticked.
  const [unfolded] = useState(() => rest.some(({ value }) => on.includes(value)));
  const ticks = (counts: Count[]) =>
    counts.map(({ value, count }) => (
      <Tick key={value} name={name} value={value} on={on.includes(value)} count={count}>
        {mark?.(value)}
        {value}
      </Tick>
    ));
  return (
    <>
      {ticks(few)}
      {rest.length > 0 && (
        <details className={styles.more} open={unfolded}>
          <summary>
            <span>Show all {counts.length}</span>
            <span>Show fewer</span>
          </summary>
          {ticks(rest)}
        </details>
      )}
    </>
  );
}

type TickProps = { name: string; value: string; on: boolean; count: number; children: ReactNode };

export function Tick({ name, value, on, count, children }: TickProps) {
  const [ticked, tick] = useChoice(on);
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        name={name}
        value={value}
        checked={ticked}
        disabled={count === 0 && !ticked}
        autoComplete="off"
        onChange={(event) => tick(event.currentTarget.checked)}
      />
      <span className={styles.name}>{children}</span>
      <Amount of={count} />
    </label>
  );
}

type RadiosProps = {
  name: string;
  said: string;
  // The choice of none.
  any: string;
  options: { value: string; label: string; count: number }[];
};

// One of them is on, or none.
export function Radios({ name, said, any, options }: RadiosProps) {
  const [now, choose] = useChoice(said);
  return [{ value: "", label: any, count: null }, ...options].map(({ value, label, count }) => (
    <label key={value} className={styles.tick}>
      <input
        type="radio"
        name={name}
        value={value}
        checked={value === now}
        disabled={count === 0 && value !== now}
        autoComplete="off"
        onChange={() => choose(value)}
      />
      <span className={styles.name}>{label}</span>
      {count !== null && <Amount of={count} />}
    </label>
  ));
}

function Amount({ of }: { of: number }) {
  return (
    <span className={styles.count}>
      {grouped(of)}
      <span className="visually-hidden">{of === 1 ? " product" : " products"}</span>
    </span>
  );
}
