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
import { Model } from "./model.js";
import { loadModule, type Module, type WasmSource } from "./module.js";
import { World, type WorldOptions } from "./world.js";

export class Limber {
  /** @internal */
  constructor(private readonly module: Module) {}

  /** major.minor.patch */
  get version(): string {
    const number = this.module.plain("limber_version");
    return [number / 10000, (number / 100) % 100, number % 100].map(Math.floor).join(".");
  }
  /** What the module's memory has grown to. */
  get memoryBytes(): number {
    return this.module.view().byteLength;
  }
  /** The bytes of a .limber file; they are copied. */
  model(file: BufferSource): Model {
    return new Model(this.module, file);
  }
  world(options: WorldOptions = {}): World {
    return new World(this.module, options);
  }
}

/** `source`: limber.wasm, or where it is; by default beside this file. */
export async function loadLimber(
  source: WasmSource = new URL("./limber.wasm", import.meta.url),
): Promise<Limber> {
  return new Limber(await loadModule(source));
}

export { LimberError, type Failure, type WasmSource } from "./module.js";
export { Model, type BodyPoint, type ModelInfo, type Quaternion, type Vec3 } from "./model.js";
export { Body, Handle, type BodyState, type HoldOptions } from "./body.js";
export { World, type BodyOptions, type Contact, type Hit, type ObstacleOptions, type Placed,
  type Touch, type WorldOptions } from "./world.js";
