// A world: bodies, what they meet, and time.
import { Body } from "./body.js";
import { LimberError, type Module } from "./module.js";
import type { Model, Quaternion, Vec3 } from "./model.js";
import { layoutOf, Reader, type Value } from "./records.js";

export interface WorldOptions {
  /** m/s²; 9.81 down along −y unless told. */
  readonly gravity?: Vec3;
  /** Of bodies that touch; four. */
  readonly substeps?: number;
  /** What lies still is left out of steps until something wakes it. */
  readonly sleep?: boolean;
}

/** How something touches others. */
export interface Touch {
  /** Coulomb's; a pair has the geometric mean. */
  readonly friction?: number;
  /** 0 to 1; a pair has the larger one. */
  readonly restitution?: number;
  /** Bits: the groups that it is in, and those that it meets. */
  readonly groups?: number;
  readonly meets?: number;
}

export interface Placed {
  readonly name?: string;
  /** Of the rest coordinates' origin. */
  readonly position?: Vec3;
  readonly rotation?: Quaternion;
}

export interface BodyOptions extends Placed, Touch {
  readonly method?: "modal-warping" | "linear-modal";
  readonly integrator?: "exact" | "semi-implicit" | "newmark";
  /** Sums over nodes by few of them, within 1 %. */
  readonly fast?: boolean;
  /** Rayleigh's, 1/s and s. */
  readonly massDamping?: number;
  readonly stiffnessDamping?: number;
  /** Of the mass centre; free bodies only. */
  readonly velocity?: Vec3;
  readonly angularVelocity?: Vec3;
}

/** `plane`: solid below y = 0 of its own coordinates; size: sphere radius; box edges; capsule radius, length. */
export interface ObstacleOptions extends Placed, Touch {
  readonly shape?: "plane" | "sphere" | "box" | "capsule";
  readonly size?: readonly number[];
}

export interface Contact {
  /** Bodies or obstacles; zero: removed since. */
  readonly a: bigint;
  readonly b: bigint;
  readonly point: Vec3;
  /** From b to a. */
  readonly normal: Vec3;
  /** On a over the step, N s. */
  readonly impulse: Vec3;
  /** m, negative where there is a gap. */
  readonly depth: number;
}

export interface Hit {
  readonly who: bigint;
  readonly distance: number;
  readonly point: Vec3;
  readonly normal: Vec3;
}

const METHODS = { "modal-warping": 0, "linear-modal": 1 } as const;
const INTEGRATORS = { exact: 0, "semi-implicit": 1, newmark: 2 } as const;
const SHAPES = { plane: 0, sphere: 1, box: 2, capsule: 3 } as const;
/** "Too small" of limber.h. */
const TOO_SMALL = 4;
const WORK_FAILED = 2;

function touch(options: Touch): Value {
  return {
    type: "limber_touch",
    values: {
      has_friction: options.friction === undefined ? 0 : 1,
      friction: options.friction,
      restitution: options.restitution,
      groups: options.groups,
      meets: options.meets,
    },
  };
}

export class World {
  readonly bodies: Body[] = [];
  private readonly pointer: number;

  /** @internal */
  constructor(
    private readonly module: Module,
    options: WorldOptions,
  ) {
    const none = options.gravity?.every((g) => g === 0) ?? false;
    this.pointer = module.scoped(() => {
      const record = module.takeRecord("limber_world_options", {
        gravity: options.gravity,
        no_gravity: none ? 1 : 0,
        substeps: options.substeps,
        no_sleep: options.sleep === false ? 1 : 0,
      });
      const result = module.take(4);
      module.call("limber_world_new", record, result);
      return module.view().getUint32(result, true);
    });
  }

  add(model: Model, options: BodyOptions = {}): Body {
    const { module } = this;
    const name = options.name ?? `body ${this.bodies.length + 1}`;
    const id = module.scoped(() => {
      const record = module.takeRecord("limber_body_options", {
        method: METHODS[options.method ?? "modal-warping"],
        integrator: INTEGRATORS[options.integrator ?? "exact"],
        fast: options.fast === true ? 1 : 0,
        name: module.takeText(name),
        mass_damping: options.massDamping,
        stiffness_damping: options.stiffnessDamping,
        position: options.position,
        rotation: options.rotation,
        velocity: options.velocity,
        angular_velocity: options.angularVelocity,
        touch: touch(options),
      });
      return this.made("limber_world_add", model.pointer, record);
    });
    const body = new Body(module, this.pointer, model, id, name);
    this.bodies.push(body);
    return body;
  }

  remove(body: Body): void {
    body.remove();
    this.bodies.splice(this.bodies.indexOf(body), 1);
  }

  /** Something that never moves; with no options the ground, y ≤ 0. */
  addObstacle(options: ObstacleOptions = {}): bigint {
    const { module } = this;
    const dimensions = [...(options.size ?? []), 0, 0, 0].slice(0, 3);
    return module.scoped(() => this.made("limber_world_add_obstacle",
      module.takeRecord("limber_obstacle_options", {
        name: options.name === undefined ? undefined : module.takeText(options.name),
        shape: { type: "limber_shape", values: { kind: SHAPES[options.shape ?? "plane"], dimensions } },
        touch: touch(options),
        position: options.position,
        rotation: options.rotation,
      })));
  }
  removeObstacle(obstacle: bigint): void {
    this.module.call("limber_world_remove_obstacle", this.pointer, obstacle);
  }

  setGravity(gravity: Vec3): void {
    this.module.scoped(() => this.module.call("limber_world_set_gravity", this.pointer,
      this.module.takeDoubles(gravity)));
  }

  /** All bodies on by so much. False: one could not go on and was stopped; the others have moved. */
  step(seconds: number): boolean {
    const result = this.module.plain("limber_world_step", this.pointer, seconds);
    if (result === 0 || result === WORK_FAILED) return result === 0;
    throw this.module.failure(result);
  }
  /** All bodies to their equilibrium. */
  settle(): void {
    this.module.call("limber_world_settle", this.pointer);
  }

  get time(): number {
    return this.module.scoped(() => {
      const at = this.module.take(8);
      this.module.call("limber_world_time", this.pointer, at);
      return this.module.view().getFloat64(at, true);
    });
  }

  /** Everything that later steps depend on. */
  snapshot(): Uint8Array {
    const { module } = this;
    const size = module.scoped(() => {
      const at = module.take(4);
      module.call("limber_world_snapshot_size", this.pointer, at);
      return module.view().getUint32(at, true);
    });
    return module.borrowed(size, (at) => {
      module.call("limber_world_save", this.pointer, at, size, 0);
      return module.bytes(at, size).slice();
    });
  }
  /** Bit for bit; refused for another world, or after a body came or went. */
  restore(snapshot: Uint8Array): void {
    const { module } = this;
    module.borrowed(snapshot.length, (at) => {
      module.bytes(at, snapshot.length).set(snapshot);
      module.call("limber_world_restore", this.pointer, at, snapshot.length);
    });
  }

  /** Of the last step. */
  contacts(): Contact[] {
    const { module } = this;
    const count = this.contactCount();
    const { bytes } = layoutOf(module.layouts, "limber_contact");
    return module.borrowed(count * bytes, (list) => module.scoped(() => {
      module.call("limber_world_contacts", this.pointer, list, count, module.take(4));
      return Array.from({ length: count }, (_, k) => {
        const read = new Reader(module.layouts, module.view(), list + k * bytes, "limber_contact");
        return {
          a: read.id("a"),
          b: read.id("b"),
          point: read.triple("point"),
          normal: read.triple("normal"),
          impulse: read.triple("impulse"),
          depth: read.number("depth"),
        };
      });
    }));
  }

  /** How many points touched in the last step. */
  contactCount(): number {
    const { module } = this;
    return module.scoped(() => {
      const at = module.take(4);
      const result = module.plain("limber_world_contacts", this.pointer, 0, 0, at);
      if (result !== 0 && result !== TOO_SMALL) throw module.failure(result);
      return module.view().getUint32(at, true);
    });
  }

  /** What a ray, or a ball of that radius that flies along it, meets first. */
  cast(from: Vec3, direction: Vec3, longest = 1e6, radius = 0, groups = 0): Hit | undefined {
    const { module } = this;
    return module.scoped(() => {
      const at = module.takeRecord("limber_hit", {});
      module.call("limber_world_cast", this.pointer, module.takeDoubles(from),
        module.takeDoubles(direction), longest, radius, groups, at);
      const read = new Reader(module.layouts, module.view(), at, "limber_hit");
      if (read.number("hit") === 0) return undefined;
      return {
        who: read.id("who"),
        distance: read.number("distance"),
        point: read.triple("point"),
        normal: read.triple("normal"),
      };
    });
  }

  body(id: bigint): Body | undefined {
    return this.bodies.find((body) => body.id === id);
  }

  free(): void {
    this.bodies.forEach((body) => body.forget());
    this.bodies.length = 0;
    this.module.plain("limber_world_free", this.pointer);
  }

  /** The id that a function writes behind its last argument. */
  private made(name: string, ...args: number[]): bigint {
    const at = this.module.take(8);
    this.module.call(name, this.pointer, ...args, at);
    const id = this.module.view().getBigUint64(at, true);
    if (id === 0n) throw new LimberError(`${name} gave no id`, "internal");
    return id;
  }
}
