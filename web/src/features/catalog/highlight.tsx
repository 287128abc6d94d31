import type { HighlightSpan } from "../../lib/api.gen";
import { cardName, cardNameParts } from "../../lib/text";
import { NowrapHyphens } from "../../ui/nowrap-hyphens";
import styles from "./highlight.module.css";

// A product's name with search matches highlighted.
export function Highlight({
  name,
  parts = [],
}: {
  name: string;
  parts?: HighlightSpan[] | undefined;
}) {
  if (!parts.some(({ hit }) => hit)) return <NowrapHyphens text={cardName(name)} />;
  return cardNameParts(parts).map(({ text, hit }, at) =>
    hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part has only its position.
      <mark key={at} className={styles.mark}>
        {text}
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above.
      <NowrapHyphens key={at} text={text} />
    ),
  );
}
