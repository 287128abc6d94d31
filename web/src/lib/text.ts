import type { HighlightSpan } from "./api.gen";

const CARD_NAME = 70;

// The name on a product card, truncated to 70 characters at a word where possible.
export function cardName(name: string): string {
  return truncate(name, CARD_NAME);
}

// The same for a name in highlighted parts.
export function cardNameParts(parts: HighlightSpan[]): HighlightSpan[] {
  const shown = cardName(parts.map(({ text }) => text).join(""));
  const cutOff = shown.endsWith("…") ? "…" : "";
  let rest = shown.slice(0, shown.length - cutOff.length);
  const shownParts = parts.flatMap(({ text, hit }) => {
    const shownText = rest.slice(0, text.length);
    rest = rest.slice(shownText.length);
    return shownText === "" ? [] : [{ text: shownText, hit }];
  });
  return cutOff === "" ? shownParts : [...shownParts, { text: cutOff, hit: false }];
}

export function truncate(text: string, limit: number): string {
  const characters = Array.from(text.trim());
  if (characters.length <= limit) return characters.join("");
  const head = characters.slice(0, limit - 1).join("");
  const cutsWord = characters[limit - 1] !== " ";
  const lastSpace = head.lastIndexOf(" ");
  // A single long word is truncated inside the word.
  const words = cutsWord && lastSpace > limit / 2 ? head.slice(0, lastSpace) : head;
  return `${words.replace(/[\s,;:–-]+$/, "")}…`;
}

// Each with its index: two may have the same text.
export function paragraphs(text: string): { text: string; place: number }[] {
  return text
    .split(/\n\s*\n/)
    .map((part, place) => ({ text: part.trim(), place }))
    .filter((part) => part.text !== "");
}

// The part before the @, as a name for a customer who gave none.
export function localPart(email: string): string {
  return email.replace(/@.*$/, "");
}
