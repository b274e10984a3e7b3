import { defineConfig } from "vitest/config";

// One file after the other: a browser that renders in software needs the processor to itself.
export default defineConfig({
  test: {
    include: ["*.test.ts"],
    fileParallelism: false,
    testTimeout: 120000,
    hookTimeout: 120000,
  },
});
