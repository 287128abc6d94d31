import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "sdk/*.test.ts"],
    pool: "threads",
    maxWorkers: 2,
    // Servers hash passwords as slowly as they should, and two cores may be busy with others.
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // The SDK's build for browsers, which says nowhere that its files are modules.
    server: { deps: { inline: [/@firebase\/auth\/dist\/esm/] } },
  },
});
