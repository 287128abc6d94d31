const CARD_NAME = 70;

// The name as a card shows it: whole words where it can, never more than 70 characters.
export function cardName(name: string): string {
  return cut(name, CARD_NAME);
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
