import type { Part } from "../lib/api.gen";
import { cardName, cardParts } from "../lib/text";
import styles from "./marked.module.css";
import { Unbroken } from "./unbroken";

// A product's name as lists show it, with what was looked for in it.
export function Marked({ name, parts = [] }: { name: string; parts?: Part[] | undefined }) {
  if (!parts.some(({ hit }) => hit)) return <Unbroken text={cardName(name)} />;
  return cardParts(parts).map(({ text, hit }, at) =>
    hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the name.
      <mark key={at} className={styles.mark}>
        {text}
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above.
      <Unbroken key={at} text={text} />
    ),
  );
}
