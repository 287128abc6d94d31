// Pseudo-locales: languages made from English, which show in screenshots (`make shots`) whether the
// layout holds. Codes from qaa to qtz are for private use.
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { ABOUT_LANGUAGES, type Messages } from "./catalogue.ts";

export const PSEUDO_LOCALES: Record<string, (message: string) => string> = {
  // Long words: texts are about 40 % longer.
  qpl: (message) => changeTexts(message, (text) => text.replace(/[aeiouyr]/gi, "$&$&")),
  // Right to left: letters run from right to left, and brackets show where a text begins and ends.
  qpr: (message) => `[${changeTexts(message, (text) => `\u202e${text}\u202c`)}]`,
};

// Numbers and months stay English.
const UNCHANGED = new Set(["format"]);

export function pseudoMessages(code: string, namespace: string, messages: Messages): Messages {
  const change = PSEUDO_LOCALES[code];
  if (change === undefined) throw new Error(`there is no pseudo-locale ${code}`);
  if (UNCHANGED.has(namespace)) return messages;
  if (namespace === ABOUT_LANGUAGES) return { ...messages, name: code };
  const changed = Object.entries(messages).map(([key, message]) => [key, change(message)]);
  return Object.fromEntries(changed) as Messages;
}

// Changes what is said, and leaves arguments, cases and tags as they are.
function changeTexts(message: string, change: (text: string) => string): string {
  const texts = textsOf(parse(message, { captureLocation: true }));
  return texts.reduceRight(
    (changed, { start, end }) =>
      changed.slice(0, start) + change(changed.slice(start, end)) + changed.slice(end),
    message,
  );
}

type Span = { start: number; end: number };

function textsOf(elements: MessageFormatElement[]): Span[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.tag) return textsOf(element.children);
    if (element.type === TYPE.select || element.type === TYPE.plural)
      return Object.values(element.options).flatMap(({ value }) => textsOf(value));
    const { location } = element;
    if (element.type !== TYPE.literal || location === undefined) return [];
    return { start: location.start.offset, end: location.end.offset };
  });
}
