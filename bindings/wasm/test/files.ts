// What scripts/wasm has built; tests of it are skipped, by name, where it has not.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadLimber, type Limber } from "@limber/runtime";

/** From build/test, where the tests run. */
const ROOT = new URL("../../../../", import.meta.url);
export const built = (path: string) => fileURLToPath(new URL(`build/${path}`, ROOT));

const missing = (path: string) => !existsSync(path);
const DINO = built("live/bake/dino.limber");
const WASM = fileURLToPath(new URL("../../dist/limber.wasm", import.meta.url));

/** Why a test is left out; false: it is not. */
export const skip: string | false =
  missing(WASM) ? "limber.wasm is not built: scripts/wasm needs em++ (package emscripten)"
  : missing(DINO) ? "the characters are not baked: scripts/wasm does it" : false;

export const dinoFile = (): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(DINO));
export const dinoPath = DINO;

let loaded: Promise<Limber> | undefined;
/** From where the package finds it by itself. */
export const limber = () => (loaded ??= loadLimber());

/** Without the native program to compare with: why. */
export const skipReference: string | false =
  skip !== false ? skip
  : missing(built("live/reference")) ? "no native program: scripts/wasm --check builds it"
  : false;
