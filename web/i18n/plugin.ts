// Vite plugin: `import * as m from "messages/cart"` gives a function for each message of
// /messages/<language>/cart.json.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { type Catalogue, FOLDER, readCatalogue } from "./catalogue.ts";
import { inlineMessages } from "./inline.ts";
import {
  barrelModule,
  messageModule,
  namespaceModule,
  PLURALS,
  pluralsModule,
  type Target,
} from "./module.ts";

// `target`: the language of a browser's bundle; null for one bundle with all languages.
export function messages(target: Target): Plugin[] {
  let catalogue: Catalogue;
  const modules: Plugin = {
    name: "messages",
    enforce: "pre",
    buildStart() {
      catalogue = readCatalogue(FOLDER);
      if (!this.meta.watchMode) return;
      const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" });
      for (const file of files) if (file.endsWith(".json")) this.addWatchFile(join(FOLDER, file));
    },
    resolveId: {
      filter: { id: /^messages\// },
      handler: (id) => ({ id: `\0${id}`, moduleSideEffects: false }),
    },
    load: {
      filter: { id: /^\0messages\// },
      handler(id) {
        const name = id.slice(1);
        if (name === PLURALS) return pluralsModule(catalogue);
        const [, namespace = "", key] = name.split("/");
        if (key !== undefined) return messageModule(catalogue, namespace, key, target);
        if (target !== null) return barrelModule(catalogue, namespace);
        return namespaceModule(catalogue, namespace, target);
      },
    },
  };
  if (target === null) return [modules];
  const inline: Plugin = {
    name: "messages-inline",
    enforce: "post",
    transform: {
      filter: { id: /\/src\//, code: /from "messages\// },
      handler: (code) => ({ code: inlineMessages(catalogue, target, code), map: null }),
    },
  };
  return [modules, inline];
}
