import type { Part } from "./api.gen";

const CARD_NAME = 70;

// The name as a card shows it: whole words where it can, never more than 70 characters.
export function cardName(name: string): string {
  return cut(name, CARD_NAME);
}

// The same of a name in parts, which keep their marks.
export function cardParts(parts: Part[]): Part[] {
  const shown = cardName(parts.map(({ text }) => text).join(""));
  const cutOff = shown.endsWith("…") ? "…" : "";
  let rest = shown.slice(0, shown.length - cutOff.length);
  const kept = parts.flatMap(({ text, hit }) => {
    const piece = rest.slice(0, text.length);
    rest = rest.slice(piece.length);
    return piece === "" ? [] : [{ text: piece, hit }];
  });
  return cutOff === "" ? kept : [...kept, { text: cutOff, hit: false }];
}

export function cut(text: string, most: number): string {
  const letters = Array.from(text.trim());
  if (letters.length <= most) return letters.join("");
  const head = letters.slice(0, most - 1).join("");
  const cutsWord = letters[most - 1] !== " ";
  const lastSpace = head.lastIndexOf(" ");
  // One endless word, or one that starts early, is cut where it stands.
  const words = cutsWord && lastSpace > most / 2 ? head.slice(0, lastSpace) : head;
  return `${words.replace(/[\s,;:–-]+$/, "")}…`;
}

// Each with its place: two may say the same.
export function paragraphs(text: string): { text: string; place: number }[] {
  return text
    .split(/\n\s*\n/)
    .map((part, place) => ({ text: part.trim(), place }))
    .filter((part) => part.text !== "");
}

export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

// What stands in front of the @: a name for somebody who has given none.
export function localPart(email: string): string {
  return email.replace(/@.*$/, "");
}
