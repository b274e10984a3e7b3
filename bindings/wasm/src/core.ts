// The runtime without the default place of limber.wasm, which bundlers would take along: for pages that
// bring the file packed, or from elsewhere.
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

/** `source`: limber.wasm, or where it is; packed by gzip it is inflated. */
export async function loadLimber(source: WasmSource): Promise<Limber> {
  return new Limber(await loadModule(source));
}

export { fetchFile, LimberError, type Failure, type WasmSource } from "./module.js";
export { Model, type BodyPoint, type ModelInfo, type Quaternion, type Vec3 } from "./model.js";
export { Body, Handle, type BodyState, type HoldOptions } from "./body.js";
export { World, type BodyOptions, type Contact, type Hit, type ObstacleOptions, type Placed,
  type Touch, type WorldOptions } from "./world.js";
