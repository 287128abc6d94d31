// Keeps hyphenated words of a name ("Over-Ear") on one line. A style and not a non-breaking hyphen,
// so that the text stays the same for search, copying and screen readers.
const HYPHENATED = /(\S*-\S*)/;
// A longer word must be able to break on a narrow card.
const LONGEST = 20;

export function NowrapHyphens({ text }: { text: string }) {
  if (!text.includes("-")) return text;
  return text.split(HYPHENATED).map((part, at) =>
    part.length > 1 && part.includes("-") && part.length <= LONGEST ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a word has only its position.
      <span key={at} className="unbroken">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
