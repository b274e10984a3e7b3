import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// The page is plain files, by names that do not change, for any server and any folder of it.
// scripts/wasm builds the package, bakes the characters and packs both before: few servers do it for such files.
export default defineConfig({
  root: here("."),
  base: "./",
  publicDir: here("../../build/live/public"),
  resolve: {
    alias: {
      // What the studio's modules and its browser import: they lie outside of this folder.
      three: here("node_modules/three"),
      "playwright-core": here("node_modules/playwright-core"),
      "@limber/runtime/core": here("../../bindings/wasm/dist/core.js"),
    },
  },
  worker: {
    format: "es",
    rollupOptions: {
      output: { entryFileNames: "assets/[name].js", assetFileNames: "assets/[name][extname]" },
    },
  },
  build: {
    target: "es2022",
    outDir: here("../../build/live/page"),
    emptyOutDir: true,
    chunkSizeWarningLimit: 1000,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: "assets/live.js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/[name][extname]",
      },
    },
  },
  test: {
    include: ["test/*.test.ts"],
    fileParallelism: false,
    testTimeout: 180000,
    hookTimeout: 180000,
  },
});
