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

export function paragraphs(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
