// The message catalogues: /messages/<language>/<namespace>.json, each a flat object of ICU messages.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

// English is what the texts are written in first, and what a missing translation falls back to.
export const SOURCE = "en";

// What each language says about itself, such as its own name: available in every bundle.
export const ABOUT_LANGUAGES = "language";

// Used by the server only, whose tests check them.
export const SERVER_NAMESPACES = new Set(["email", "sms", "pdf", "server"]);

export const FOLDER = process.env.BUNDLE_MESSAGES ?? join(import.meta.dirname, "../../messages");

export type Messages = Record<string, string>;
// Language → namespace → messages. The source language is first.
export type Catalogue = Map<string, Map<string, Messages>>;

export function readCatalogue(folder: string): Catalogue {
  const languages = languagesIn(folder);
  return new Map(languages.map((language) => [language, readLanguage(join(folder, language))]));
}

// Each has a folder.
export function languagesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort((one, other) => Number(other === SOURCE) - Number(one === SOURCE));
}

function readLanguage(folder: string): Map<string, Messages> {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  const read = (file: string) => readMessages(join(folder, file));
  return new Map(files.sort().map((file) => [file.slice(0, -".json".length), read(file)]));
}

export function readMessages(path: string): Messages {
  if (!existsSync(path)) return {};
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(path, "utf8"));
  } catch (why) {
    throw new Error(`${path}: ${(why as Error).message}`);
  }
  const entries = Object.entries(found as object);
  for (const [key, text] of entries) {
    if (!/^[a-z]\w*$/.test(key) || key === "default") throw new Error(`${path}: bad key ${key}`);
    if (typeof text !== "string") throw new Error(`${path}: ${key} is not a text`);
  }
  return Object.fromEntries(entries) as Messages;
}
