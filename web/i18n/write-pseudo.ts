// Writes a copy of /messages with English and the pseudo-locales, for `npm run build:pseudo`.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FOLDER, readCatalogue, SERVER_NAMESPACES, SOURCE } from "./catalogue.ts";
import { PSEUDO_LOCALES, pseudoMessages } from "./pseudo.ts";

const OUT = join(import.meta.dirname, "../node_modules/.pseudo-messages");

rmSync(OUT, { recursive: true, force: true });
for (const [namespace, messages] of readCatalogue(FOLDER).get(SOURCE) ?? []) {
  if (SERVER_NAMESPACES.has(namespace)) continue;
  write(SOURCE, namespace, messages);
  for (const code of Object.keys(PSEUDO_LOCALES))
    write(code, namespace, pseudoMessages(code, namespace, messages));
}

function write(language: string, namespace: string, messages: object): void {
  mkdirSync(join(OUT, language), { recursive: true });
  writeFileSync(join(OUT, language, `${namespace}.json`), JSON.stringify(messages));
}
