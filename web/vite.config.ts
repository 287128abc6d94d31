import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

// Two builds from one source: `vite build` for the browser, `vite build --ssr` for the server's
// QuickJS. The development ones (dist-dev) carry React's own checks, hydration among them.
export default defineConfig(({ mode, isSsrBuild }) => {
  // Vite builds with React's production code in any mode unless NODE_ENV says otherwise, and then
  // the browser tests would see no hydration mismatch, whatever we break.
  if (process.env.NODE_ENV !== mode) throw new Error(`NODE_ENV must be ${mode}, like the mode`);
  const production = mode === "production";
  const out = production ? "dist" : "dist-dev";
  // Theirs writes a <style>, which our policy bars.
  const ownScrollLock = {
    "react-remove-scroll": join(import.meta.dirname, "src/ui/scroll-lock.tsx"),
  };

  if (isSsrBuild) {
    return {
      plugins: [react()],
      publicDir: false,
      // React's default server build wants MessageChannel and TextEncoder, which QuickJS lacks.
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
    plugins: [react(), production && compressed(`${out}/client`)],
    resolve: { alias: ownScrollLock },
    build: {
      outDir: `${out}/client`,
      emptyOutDir: true,
      manifest: true,
      minify: production,
      cssMinify: production,
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      // Fonts stay files, so that they can be preloaded and the policy needs no font data: URLs.
      assetsInlineLimit: (file) => file.endsWith(".svg"),
      rolldownOptions: {
        input: "src/entry.client.tsx",
        output: {
          // React changes seldom: a visitor keeps it over many of our releases. What pages share
          // comes in one piece instead of a dozen crumbs.
          codeSplitting: {
            groups: [
              { name: "react", test: /node_modules\/(react|react-dom|scheduler)\// },
              { name: "take-over", test: /lib\/take-over/ },
              // The entrance forms bring a form library that other pages do without, orders are for
              // those who have some, finding for those who look for something, and what lies over a
              // page or folds up comes with Radix, when it is first wanted.
              {
                name: "shared",
                test: /\/src\/(?!(components|lib)\/(entrance|checkout|orders|finding)\/|ui\/(accordion|dialog|drawer|menu|scroll-lock|tabs|tooltip))|lucide/,
                minShareCount: 2,
              },
            ],
          },
        },
      },
    },
  };
});

// Files are compressed once, as hard as it goes, so that the server only picks one.
function compressed(folder: string): Plugin {
  return {
    name: "compressed",
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
