import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "sdk/match.test.ts"],
    pool: "threads",
    maxWorkers: 2,
  },
});
