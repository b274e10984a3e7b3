import { defineConfig } from "vitest/config";

// One file after the other: a browser that renders in software needs the processor to itself.
export default defineConfig({
  test: {
    include: ["*.test.ts"],
    fileParallelism: false,
    testTimeout: 600000, // states are waited for, on busy machines too
    hookTimeout: 600000,
    retry: 1, // bodies sway under the pointer; the summary names every test that was tried again
  },
});
