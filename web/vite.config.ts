import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

// Vite configuration. `vite build` makes the browser's bundle, `vite build --ssr` the one for the
// server's QuickJS. Development builds (dist-dev) include React's checks, such as hydration mismatches.
export default defineConfig(({ mode, isSsrBuild }) => {
  // Without NODE_ENV Vite uses React's production code in any mode, and the browser tests would never
  // see a hydration mismatch.
  if (process.env.NODE_ENV !== mode) throw new Error(`NODE_ENV must be ${mode}, like the mode`);
  const production = mode === "production";
  const out = production ? "dist" : "dist-dev";
  // The package's own version writes a <style>, which our Content-Security-Policy forbids.
  const ownScrollLock = {
    "react-remove-scroll": join(import.meta.dirname, "src/ui/scroll-lock.tsx"),
  };

  if (isSsrBuild) {
    return {
      plugins: [react()],
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
        emptyOutDir: true,
        target: "es2022",
        minify: production,
        rolldownOptions: {
          input: "src/entry.server.tsx",
          output: { format: "iife", entryFileNames: "server.js" },
        },
      },
    };
  }

  return {
    plugins: [react(), production && precompress(`${out}/client`)],
    resolve: { alias: ownScrollLock },
    build: {
      outDir: `${out}/client`,
      emptyOutDir: true,
      manifest: true,
      minify: production,
      cssMinify: production,
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      // Fonts stay files: they are preloaded, and the Content-Security-Policy allows no font data: URLs.
      assetsInlineLimit: (file) => file.endsWith(".svg"),
      rolldownOptions: {
        input: "src/entry.client.tsx",
        output: {
          // React has a chunk of its own, which stays cached over many of our releases. What pages share
          // is one chunk instead of a dozen small ones.
          codeSplitting: {
            groups: [
              { name: "react", test: /node_modules\/(react|react-dom|scheduler)\// },
              { name: "hydrate", test: /lib\/hydrate/ },
              // Not in the shared chunk: the auth forms, which bring a form library that most pages do
              // without; checkout, orders and search results, which most visits never open; and the ui
              // parts that bring Radix. They load with the first page that imports them.
              {
                name: "shared",
                test: /\/src\/(?!features\/(auth\/[\w-]+\.(tsx|module)|(addresses|checkout|orders|search)\/(?!search-form))|ui\/(accordion|dialog|drawer|menu|scroll-lock|tabs|tooltip|use-pending-value))|lucide/,
                minShareCount: 2,
              },
            ],
          },
        },
      },
    },
  };
});

// Compresses every text file at the highest level at build time; the server only picks one.
function precompress(folder: string): Plugin {
  return {
    name: "precompress",
    closeBundle() {
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
      for (const file of files.filter((name) => /\.(js|css|svg|json|txt)$/.test(name))) {
        const path = join(folder, file);
        const bytes = readFileSync(path);
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
