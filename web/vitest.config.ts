import { defineConfig } from "vitest/config";
import { messages } from "./i18n/plugin.ts";

export default defineConfig({
  plugins: [messages(null)],
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.{ts,tsx}", "sdk/*.test.ts", "i18n/*.test.ts"],
    pool: "threads",
    maxWorkers: 2,
    // Servers hash passwords slowly on purpose, and both cores may be busy.
    testTimeout: 90_000,
    hookTimeout: 180_000,
    // The SDK's browser build does not declare that its files are modules.
    server: { deps: { inline: [/@firebase\/auth\/dist\/esm/] } },
  },
});
