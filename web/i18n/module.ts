// The code of the virtual modules that plugin.ts serves.
import { join } from "node:path";
import { ABOUT_LANGUAGES, type Catalogue, type Messages, SOURCE } from "./catalogue.ts";
import {
  type Compiled,
  choose,
  compile,
  ELEMENT,
  FRAGMENT,
  NUMBER,
  pluralName,
  pluralRule,
} from "./compile.ts";

const LIB = join(import.meta.dirname, "../src/lib");
export const PLURALS = "messages/:plurals";

// The languages that a module contains: one in a browser's bundle; null stands for all, chosen at
// call time, as in the server's bundle and in tests.
export type Target = string | null;

// One module with all messages of a namespace.
export function namespaceModule(catalogue: Catalogue, namespace: string, target: Target): string {
  return moduleOf(catalogue, namespace, keysOf(catalogue, namespace), target);
}

// One message as a module of its own, so that a bundler places it in the chunk that uses it.
export function messageModule(
  catalogue: Catalogue,
  namespace: string,
  key: string,
  target: Target,
): string {
  return moduleOf(catalogue, namespace, [key], target);
}

// Re-exports all messages of a namespace from their own modules.
export function barrelModule(catalogue: Catalogue, namespace: string): string {
  return keysOf(catalogue, namespace)
    .map((key) => `export { ${key} } from "messages/${namespace}/${key}";\n`)
    .join("");
}

export function pluralsModule(catalogue: Catalogue): string {
  return [...catalogue.keys()]
    .map((language) => `export const ${pluralName(language)} = ${pluralRule(language)};\n`)
    .join("");
}

export function keysOf(catalogue: Catalogue, namespace: string): string[] {
  const messages = catalogue.get(SOURCE)?.get(namespace);
  if (messages === undefined) throw new Error(`there is no messages/${SOURCE}/${namespace}.json`);
  return Object.keys(messages);
}

function moduleOf(catalogue: Catalogue, namespace: string, keys: string[], target: Target): string {
  // `_`, because a key may be a reserved word.
  const body = keys
    .map((key) => `const ${key}_ = ${functionOf(catalogue, namespace, key, target)};\n`)
    .join("");
  const exports = keys.map((key) => `${key}_ as ${key}`).join(", ");
  return `${imports(catalogue, body)}${body}export { ${exports} };\n`;
}

function functionOf(catalogue: Catalogue, namespace: string, key: string, target: Target): string {
  const about = namespace === ABOUT_LANGUAGES;
  const languages = target === null || about ? [...catalogue.keys()] : [target];
  const source = compileAt(catalogue, SOURCE, namespace, key);
  const translations = languages
    .filter((language) => language !== SOURCE && (about || language !== target))
    .filter((language) => textOf(catalogue, language, namespace, key) !== undefined)
    .map((language) => {
      const { code } = compileAt(catalogue, language, namespace, key);
      return [`${about ? "a" : "$language()"} === ${JSON.stringify(language)}`, code] as const;
    });
  const own = target === null || about ? source : compileFor(catalogue, target, namespace, key);
  const parameter = about || source.arguments.size > 0 ? "a" : "";
  if (about && source.arguments.size > 0) throw new Error(`${namespace}.${key} takes no arguments`);
  return `(${parameter}) => ${choose(translations, own.code)}`;
}

function textOf(
  catalogue: Catalogue,
  language: string,
  namespace: string,
  key: string,
): string | undefined {
  const messages: Messages = catalogue.get(language)?.get(namespace) ?? {};
  return messages[key];
}

type CodeOf = (argument: string) => string;

// In the source language where there is no translation.
export function compileFor(
  catalogue: Catalogue,
  language: string,
  namespace: string,
  key: string,
  codeOf?: CodeOf,
): Compiled {
  const translated = textOf(catalogue, language, namespace, key) !== undefined;
  return compileAt(catalogue, translated ? language : SOURCE, namespace, key, codeOf);
}

export function compileAt(
  catalogue: Catalogue,
  language: string,
  namespace: string,
  key: string,
  codeOf?: CodeOf,
): Compiled {
  const text = textOf(catalogue, language, namespace, key);
  try {
    if (text === undefined) throw new Error("there is no such message");
    return compile(language, text, codeOf);
  } catch (why) {
    throw new Error(`messages/${language}/${namespace}.json: ${key}: ${(why as Error).message}`);
  }
}

// The imports that the code of messages needs.
export function imports(catalogue: Catalogue, body: string): string {
  const plurals = [...catalogue.keys()].map(pluralName).filter((name) => body.includes(`${name}(`));
  const lines = [
    body.includes("$language()") &&
      `import { language as $language } from ${JSON.stringify(join(LIB, "language.ts"))};\n`,
    body.includes(`${NUMBER}(`) &&
      `import { formatNumber as ${NUMBER} } from ${JSON.stringify(join(LIB, "numbers.ts"))};\n`,
    body.includes(`${ELEMENT}(`) &&
      `import { createElement as ${ELEMENT}, Fragment as ${FRAGMENT} } from "react";\n`,
    plurals.length > 0 && `import { ${plurals.join(", ")} } from ${JSON.stringify(PLURALS)};\n`,
  ];
  return lines.filter((line) => line !== false).join("");
}
