// Finds Latin words and digits in a Bangla text: where one is left, a text was not translated, or a
// number not formatted.

// What is written in Latin letters in Bangla, too.
const NAMES = `
  English Google Facebook
  GDPR CCPA Global Privacy Control Argon2id
  JPEG PNG WebP AVIF
  USB-C USB-A HDMI IPX4 IP67 IP44 DAB DAB+ E27 E14 UV400 DCI-P3 sRGB A4 A5 IPS PBT AA CRI Ra ISO 6425
`;
const ALLOWED = new Set(NAMES.trim().split(/\s+/));

const CODES = [
  // Web and e-mail addresses.
  /https?:\/\/[^\s<>"]+/,
  /(?:mailto:)?[\w.+-]+@[\w.-]+/,
  // Phone numbers.
  /\+\d[\d -]+/,
  // Numbers of orders, invoices and credit notes; product codes.
  /(?:[A-Z]{2,3}-)?[\dA-Z]{4}-[\dA-Z]{4}(?:-\d+)?(?![\dA-Z])/,
  /[A-Z]{2}-[A-Z]{3}-\d{3}/,
];
const CODE = new RegExp(CODES.map(({ source }) => source).join("|"), "g");

const WORD = /[A-Za-z0-9]\w*(?:[-.,'’][A-Za-z0-9]+)*\+?/g;

// `names`: further words that are right here. A single letter is no word.
export function latinWords(text: string, names: Iterable<string> = []): string[] {
  const own = new Set(names);
  const words = text.replace(CODE, " ").match(WORD) ?? [];
  return words.filter((word) => /\d|../.test(word) && !ALLOWED.has(word) && !own.has(word));
}
