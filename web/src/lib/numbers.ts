// Numbers in the language's digits and grouping. No Intl: QuickJS has none, and server and browser
// must write the same text.
import * as m from "messages/format";

const LAKH = /\B(?=(\d\d)*\d{3}$)/g;
const THOUSAND = /\B(?=(\d{3})+$)/g;

// Replaces 0 to 9 by the language's digits.
export function digits(text: string | number): string {
  const own = m.digits();
  const ascii = String(text);
  return own.startsWith("0") ? ascii : ascii.replace(/\d/g, (digit) => own.charAt(Number(digit)));
}

// "1,234,567", or in lakh "১২,৩৪,৫৬৭", with the decimals that the number has.
export function formatNumber(value: number): string {
  const [whole = "", decimals] = String(value).split(".");
  const grouped = whole.replace(m.grouping() === "lakh" ? LAKH : THOUSAND, ",");
  return digits(decimals === undefined ? grouped : `${grouped}.${decimals}`);
}

// Replaces the digits of any script by 0 to 9. In Unicode the ten of a script are in order, and
// begin at a code that ends in 0 or 6.
export function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const row = code - (code % 16);
    const zero = /\p{Nd}/u.test(String.fromCodePoint(row)) ? row : row + 6;
    return String(code - zero);
  });
}
