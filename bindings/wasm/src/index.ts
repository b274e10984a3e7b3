/**
 * Limber's runtime: elastic bodies, baked by `limber bake`, that are held, hit, thrown and drawn.
 *
 *     const limber = await loadLimber();
 *     const model = limber.model(await (await fetch("dino.limber")).arrayBuffer());
 *     const world = limber.world();
 *     world.addObstacle();                                  // the ground
 *     const dino = world.add(model, { position: [0, 1, 0] });
 *     world.step(1 / 60);
 *     dino.surface(positions, normals);                     // of a three.js geometry
 *
 * Units are SI, coordinates right-handed, quaternions x y z w.
 */
import { loadLimber as loadFrom, type Limber, type WasmSource } from "./core.js";

/** `source`: limber.wasm, or where it is; by default beside this file. Packed by gzip it is inflated. */
export async function loadLimber(
  source: WasmSource = new URL("./limber.wasm", import.meta.url),
): Promise<Limber> {
  return await loadFrom(source);
}

export * from "./core.js";
