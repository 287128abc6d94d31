// A hyphenated word of a name ("Over-Ear") stays on one line. By a style and not by another character, so
// that the text is the same to search, copy and read out.
const HYPHENATED = /(\S*-\S*)/;
// A longer one must be able to break on a narrow card.
const LONGEST = 20;

export function Unbroken({ text }: { text: string }) {
  if (!text.includes("-")) return text;
  return text.split(HYPHENATED).map((part, at) =>
    part.length > 1 && part.includes("-") && part.length <= LONGEST ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place in the text.
      <span key={at} className="unbroken">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
