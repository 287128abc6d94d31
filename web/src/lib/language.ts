// The language of the page, and the addresses of our pages in it. The shop's default language has
// addresses without a prefix, any other /<language>/….
import type { TextField } from "./api.gen";
import { setCookie } from "./cookie";

type Translated = { untranslated?: TextField[] };
type Spoken = { language: string; shop: { languages: string[] } };

let shown = "en";
let offered = [shown];

// At the start of the program in the browser, and of each rendering on the server.
export function setLanguage({ language, shop }: Spoken): void {
  shown = language;
  offered = shop.languages;
}

// A browser's bundle has one language, so that what belongs to others is left out of it.
export function language(): string {
  return import.meta.env.LANGUAGE ?? shown;
}

// The languages of the shop, the default one first.
export function shopLanguages(): readonly string[] {
  return offered;
}

// The address of one of our pages in a language.
export function localUrl(path: string, of: string = language()): string {
  if (of === offered[0]) return path;
  return `/${of}${path.replace(/^\/(?=$|[?#])/, "")}`;
}

// The language of an address and its path without the prefix.
export function splitLanguage(address: string): [language: string, path: string] {
  const [, prefix = "", rest = ""] = /^\/([\w-]+)(.*)$/s.exec(address) ?? [];
  const prefixed = offered.includes(prefix) && /^($|[/?#])/.test(rest);
  if (!prefixed) return [offered[0] ?? "", address];
  return [prefix, rest.startsWith("/") ? rest : `/${rest}`];
}

// The address that the browser shows, in another language. `page.url` lacks what only the browser
// reads, such as the token of a link in an e-mail or the number of an order.
export function currentAddressIn(code: string): string {
  const [, path] = splitLanguage(location.pathname);
  // Two slashes would begin the address of another site.
  return localUrl(path.replace(/^\/+/, "/") + location.search + location.hash, code);
}

// The `lang` attribute of a text; none where it is in the language of the page.
export function langOf(of: string): string | undefined {
  return of === language() ? undefined : of;
}

// The `lang` attribute of a field, which is in the shop's default language where it is not translated.
export function fieldLang(of: Translated, field: TextField): string | undefined {
  return of.untranslated?.includes(field) ? offered[0] : undefined;
}

// The visitor's choice, which the server uses for e-mails.
export function chooseLanguage(code: string): void {
  setCookie("language", code);
}

// The shop's language that the browser prefers to that of the page. Null where the visitor has
// chosen one, or opened an address that names one.
export function preferredLanguage(): string | null {
  if (language() !== offered[0] || /(^|; )language=/.test(document.cookie)) return null;
  const wanted = navigator.languages.map((tag) => tag.replace(/-.*/, "").toLowerCase());
  const first = wanted.find((code) => offered.includes(code));
  return first === undefined || first === language() ? null : first;
}
