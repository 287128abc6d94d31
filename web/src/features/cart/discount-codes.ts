// The shopper's discount codes in localStorage. They are sent with every quote; which of them apply,
// the server decides.
import { asciiDigits } from "../../lib/numbers";
import { persistedStore, useStore } from "../../lib/store";

export const MAX_CODES = 10;
export const LONGEST_CODE = 40;

// In the server's form: ASCII, in upper case, without spaces. Null where it cannot be a code.
export function parseCode(typed: string): string | null {
  const code = asciiDigits(typed).replace(/\s+/g, "");
  return /^[A-Za-z\d-]+$/.test(code) && code.length <= LONGEST_CODE ? code.toUpperCase() : null;
}

// The newest is last. Of more than 10 the oldest is dropped.
export function addCode(codes: string[], code: string): string[] {
  return codes.includes(code) ? codes : [...codes, code].slice(-MAX_CODES);
}

// Malformed ones are dropped.
export function readCodes(found: unknown): string[] {
  const codes = Array.isArray(found) ? found.filter(isCode) : [];
  return [...new Set(codes)].slice(0, MAX_CODES);
}

function isCode(found: unknown): found is string {
  return typeof found === "string" && parseCode(found) === found;
}

const store = persistedStore("haat.codes", readCodes);

// Null in server markup.
export function useDiscountCodes(): string[] | null {
  return useStore(store);
}

export const discountCodes = {
  all: store.get,
  add: (code: string) => store.update((codes) => addCode(codes, code)),
  remove: (...gone: string[]) =>
    store.update((codes) => codes.filter((code) => !gone.includes(code))),
  clear: () => store.update(() => []),
};
