// The declarations of the message functions, src/messages.gen.d.ts.
import { join } from "node:path";
import { ABOUT_LANGUAGES, type Catalogue, SERVER_NAMESPACES, SOURCE } from "./catalogue.ts";
import type { Argument } from "./compile.ts";
import { compileAt } from "./module.ts";

export const TYPES = join(import.meta.dirname, "../src/messages.gen.d.ts");

const RESERVED = new Set(
  "break case catch class const continue debugger delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with let static yield await implements interface package private protected public".split(
    " ",
  ),
);

export function declarations(catalogue: Catalogue): string {
  const namespaces = [...(catalogue.get(SOURCE) ?? [])].filter(
    ([namespace]) => !SERVER_NAMESPACES.has(namespace),
  );
  const modules = namespaces.map(([namespace, messages]) => {
    const functions = Object.entries(messages).map(([key, text]) => {
      const signature = `${parametersOf(catalogue, namespace, key)};`;
      return `${comment(text)}${declaration(key, signature)}`;
    });
    return `declare module "messages/${namespace}" {\n${functions.join("")}}\n`;
  });
  return `// Generated from messages/${SOURCE} by \`npm run messages\`. Do not edit.\n\n${modules.join("\n")}`;
}

function declaration(key: string, signature: string): string {
  if (!RESERVED.has(key)) return `  export function ${key}${signature}\n`;
  return `  function ${key}_${signature}\n  export { ${key}_ as ${key} };\n`;
}

function comment(text: string): string {
  return `  /** ${text.replace(/\s+/g, " ").replaceAll("*/", "*\\/")} */\n`;
}

function parametersOf(catalogue: Catalogue, namespace: string, key: string): string {
  const { arguments: taken, rich } = compileAt(catalogue, SOURCE, namespace, key);
  const result = rich ? 'import("react").ReactNode' : "string";
  if (namespace === ABOUT_LANGUAGES) return `(language: string): ${result}`;
  const fields = [...taken].map(([name, argument]) => `${name}: ${typeOf(argument)}`);
  return fields.length === 0 ? `(): ${result}` : `(of: { ${fields.join("; ")} }): ${result}`;
}

function typeOf(argument: Argument): string {
  switch (argument.kind) {
    case "text":
      return "string";
    case "number":
      return "number";
    case "tag":
      return '(text: import("react").ReactNode) => import("react").ReactNode';
    case "select":
      return argument.cases.map((one) => JSON.stringify(one)).join(" | ");
  }
}
