import { readdirSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { SOURCE } from "./i18n/catalogue.ts";
import { messages } from "./i18n/plugin.ts";

// CSS class names for production: two characters for the file and one or two for the name in it.
// One stylesheet serves all pages, and the hashes in Vite's names are a seventh of its compressed
// size. The names depend on nothing but src: separate processes build for the server and for each
// language.
function shortClassNames() {
  const source = join(import.meta.dirname, "src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".module.css"))
    .sort()
    .map((path) => join(source, path));
  const namesOf = new Map<string, string[]>();
  return (name: string, file: string) => {
    if (!files.includes(file)) throw new Error(`${file} is not in src`);
    const names = namesOf.get(file) ?? [];
    namesOf.set(file, names);
    if (!names.includes(name)) names.push(name);
    return `_${files.indexOf(file).toString(36).padStart(2, "0")}${names.indexOf(name).toString(36)}`;
  };
}

// Vite configuration. `vite build` makes the browser's bundle for the language $BUNDLE_LANGUAGE,
// `vite build --ssr` the one for the server's QuickJS; build.mjs makes all. Development
// builds (dist-dev) include React's checks, such as hydration mismatches.
export default defineConfig(({ mode, isSsrBuild }) => {
  // Without NODE_ENV Vite uses React's production code in any mode, and the browser tests would never
  // see a hydration mismatch.
  if (process.env.NODE_ENV !== mode) throw new Error(`NODE_ENV must be ${mode}, like the mode`);
  const production = mode === "production";
  const out = process.env.BUNDLE_OUT ?? (production ? "dist" : "dist-dev");
  // The development build keeps names that can be read.
  const css = production ? { modules: { generateScopedName: shortClassNames() } } : {};
  // The package's own version writes a <style>, which our Content-Security-Policy forbids.
  const ownScrollLock = {
    "react-remove-scroll": join(import.meta.dirname, "src/ui/scroll-lock.tsx"),
  };

  if (isSsrBuild) {
    return {
      plugins: [messages(null), react()],
      css,
      publicDir: false,
      // React's default server build needs MessageChannel and TextEncoder, which QuickJS lacks.
      resolve: {
        alias: {
          ...ownScrollLock,
          "react-dom/server": join(
            import.meta.dirname,
            `node_modules/react-dom/cjs/react-dom-server-legacy.browser.${mode}.js`,
          ),
        },
      },
      define: { "process.env.NODE_ENV": JSON.stringify(mode) },
      ssr: { target: "webworker", noExternal: true },
      build: {
        outDir: `${out}/server`,
        emptyOutDir: false,
        target: "es2022",
        minify: production,
        rolldownOptions: {
          input: "src/entry.server.tsx",
          output: { format: "iife", entryFileNames: "server.js" },
        },
      },
    };
  }

  const language = process.env.BUNDLE_LANGUAGE ?? SOURCE;
  return {
    plugins: [messages(language), react()],
    css,
    resolve: { alias: ownScrollLock },
    define: { "import.meta.env.LANGUAGE": JSON.stringify(language) },
    build: {
      outDir: `${out}/client`,
      // Bundles of other languages are in the same folder: files that are equal are one.
      emptyOutDir: false,
      manifest: `.vite/manifest${language === SOURCE ? "" : `.${language}`}.json`,
      minify: production,
      cssMinify: production,
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      // Fonts stay files: they are preloaded, and the Content-Security-Policy allows no font data: URLs.
      assetsInlineLimit: (file) => file.endsWith(".svg"),
      rolldownOptions: {
        checks: { pluginTimings: false },
        input: "src/entry.client.tsx",
        output: {
          // React has a chunk of its own, which stays cached over many of our releases. What pages share
          // is one chunk instead of a dozen small ones.
          codeSplitting: {
            groups: [
              { name: "react", test: /node_modules\/(react|react-dom|scheduler)\// },
              { name: "hydrate", test: /lib\/hydrate/ },
              // Not in the shared chunk: the auth forms, which bring a form library that most pages do
              // without; checkout, discount codes, orders, payments and search results, which most visits
              // never open; the icons that only these have; and the ui parts that bring Radix. They load
              // with the first page that imports them.
              {
                name: "shared",
                test: /\/src\/(?!features\/(auth\/[\w-]+\.(tsx|module)|(addresses|checkout|discounts|gift-cards|orders|payment|search)\/(?!search-form))|lib\/error-sentences|ui\/(accordion|choice-card|dialog|drawer|menu|scroll-lock|tabs|tooltip|use-pending-value))|lucide(?!.*\/(banknote|circle-x|credit-card|hourglass|landmark|package-(check|x)|smartphone-nfc)\.)|\0messages\/(?!(account|addresses|auth|checkout|credit|emailAction|errors|forms|giftCards|orders|payment|search)\b)/,
                minShareCount: 2,
              },
              // The texts that several of those parts have, which are too short for chunks of their own.
              { name: "texts", test: /\0messages\/(?!errors)/, minShareCount: 2 },
            ],
          },
        },
      },
    },
  };
});
