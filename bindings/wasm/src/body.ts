// A body in a world: where it is, how it is drawn, what is done to it.
import { LimberError, type Module } from "./module.js";
import type { BodyPoint, Model, Quaternion, Vec3 } from "./model.js";
import { Reader, type Values } from "./records.js";

export interface BodyState {
  /** It could not go on and stands still; resume() lets it. */
  readonly stopped: boolean;
  readonly asleep: boolean;
  /** Points that touch. */
  readonly contacts: number;
  /** Of the rest coordinates' origin. */
  readonly position: Vec3;
  readonly rotation: Quaternion;
  /** kg m/s */
  readonly momentum: Vec3;
  /** kg m²/s, about the world's origin. */
  readonly angularMomentum: Vec3;
  /** J */
  readonly kineticEnergy: number;
  readonly elasticEnergy: number;
  /** N, the sum over the last step. */
  readonly contactForce: Vec3;
}

export interface HoldOptions {
  /** `spring` (the default) pulls, `position` puts the point just there. */
  readonly kind?: "spring" | "position";
  /** Of springs: N/m and N s/m. */
  readonly stiffness?: number;
  readonly damping?: number;
}

const KINDS = { position: 0, spring: 4 } as const;

/** A hand on a body. */
export class Handle {
  /** @internal */
  constructor(
    private readonly body: Body,
    private readonly number: number,
  ) {}

  move(target: Vec3): void {
    const { module, world, id } = this.body;
    module.scoped(() =>
      module.call("limber_body_move_handle", world, id, this.number, module.takeDoubles(target)));
  }

  release(): void {
    const { module, world, id } = this.body;
    module.call("limber_body_release", world, id, this.number);
  }
}

export class Body {
  private drawing: number | undefined; // positions, then normals, in the module's memory

  /** @internal */
  constructor(
    /** @internal */ readonly module: Module,
    /** @internal */ readonly world: number,
    readonly model: Model,
    /** As contacts and rays name it. */
    readonly id: bigint,
    readonly name: string,
  ) {}

  /**
   * The surface as it is now, three numbers a vertex, into the caller's arrays: those of a three.js
   * geometry's attributes. In the world's coordinates, or in the body's own, which matrix() carries
   * to the world.
   */
  surface(positions: Float32Array, normals?: Float32Array, space: "world" | "body" = "world"): void {
    const { module } = this;
    const count = this.model.info.vertices;
    for (const array of [positions, normals]) {
      if (array !== undefined && array.length !== 3 * count) {
        throw new LimberError(`the surface has ${3 * count} numbers, the array ${array.length}`, "too-small");
      }
    }
    this.drawing ??= module.allocate(24 * count);
    const at = this.drawing;
    module.scoped(() => {
      const places = module.takeRecord("limber_stream", { data: at, count });
      const directions = normals === undefined ? 0
        : module.takeRecord("limber_stream", { data: at + 12 * count, count });
      module.call("limber_body_surface", this.world, this.id, space === "world" ? 0 : 1, places, directions);
    });
    positions.set(module.floats(at, 3 * count));
    normals?.set(module.floats(at + 12 * count, 3 * count));
  }

  /** From the body's own coordinates to the world's, in columns: three.js' Matrix4.fromArray(). */
  matrix(result = new Float32Array(16)): Float32Array {
    return this.filled(result, (at) => this.module.call("limber_body_matrix", this.world, this.id, at));
  }

  /** Modal amplitudes, for shaders that warp. */
  modal(result = new Float32Array(this.model.info.modes)): Float32Array {
    return this.filled(result, (at) =>
      this.module.call("limber_body_modal", this.world, this.id, at, result.length));
  }

  state(): BodyState {
    const { module } = this;
    return module.scoped(() => {
      const at = module.takeRecord("limber_body_state", {});
      module.call("limber_body_get_state", this.world, this.id, at);
      const read = new Reader(module.layouts, module.view(), at, "limber_body_state");
      return {
        stopped: read.number("stopped") === 1,
        asleep: read.number("asleep") === 1,
        contacts: read.number("contacts"),
        position: read.triple("position"),
        rotation: read.quaternion("rotation"),
        momentum: read.triple("momentum"),
        angularMomentum: read.triple("angular_momentum"),
        kineticEnergy: read.number("kinetic_energy"),
        elasticEnergy: read.number("elastic_energy"),
        contactForce: read.triple("contact_force"),
      };
    });
  }

  /** Where a point is and how it moves. */
  point(point: BodyPoint): { position: Vec3; velocity: Vec3 } {
    const { module } = this;
    return module.scoped(() => {
      const at = module.take(48);
      module.call("limber_body_point", this.world, this.id, this.takePoint(point), at, at + 24);
      const [x, y, z, u, v, w] = module.doubles(at, 6);
      return { position: [x!, y!, z!], velocity: [u!, v!, w!] };
    });
  }

  /** Free bodies: put somewhere. */
  place(position: Vec3, rotation: Quaternion = [0, 0, 0, 1]): void {
    this.withDoubles("limber_body_place", position, rotation);
  }
  /** Free bodies: of the mass centre and about it. */
  setVelocity(velocity: Vec3, angularVelocity: Vec3 = [0, 0, 0]): void {
    this.withDoubles("limber_body_set_velocity", velocity, angularVelocity);
  }
  /** N s, at once. */
  impulse(point: BodyPoint, impulse: Vec3): void {
    this.module.scoped(() => this.module.call("limber_body_impulse", this.world, this.id,
      this.takePoint(point), this.module.takeDoubles(impulse)));
  }

  /** Targets of free bodies are in world coordinates, of others in their support's frame. */
  hold(point: BodyPoint, target: Vec3, options: HoldOptions = {}): Handle {
    const { module } = this;
    return module.scoped(() => {
      const record = module.takeRecord("limber_handle_options", {
        kind: KINDS[options.kind ?? "spring"],
        point: { type: "limber_point", values: pointValues(point) },
        target,
        stiffness: options.stiffness,
        damping: options.damping,
      });
      const number = module.take(4);
      module.call("limber_body_hold", this.world, this.id, record, number);
      return new Handle(this, module.view().getInt32(number, true));
    });
  }

  /** After what stopped it is gone. */
  resume(): void {
    this.module.call("limber_body_resume", this.world, this.id);
  }

  remove(): void {
    this.module.call("limber_world_remove", this.world, this.id);
    this.forget();
  }
  /** @internal Its memory for drawing. */
  forget(): void {
    if (this.drawing !== undefined) this.module.free(this.drawing);
    this.drawing = undefined;
  }

  private takePoint(point: BodyPoint): number {
    return this.module.takeRecord("limber_point", pointValues(point));
  }
  private withDoubles(name: string, ...arrays: ArrayLike<number>[]): void {
    this.module.scoped(() => this.module.call(name, this.world, this.id,
      ...arrays.map((numbers) => this.module.takeDoubles(numbers))));
  }
  private filled(result: Float32Array, call: (at: number) => void): Float32Array {
    return this.module.scoped(() => {
      const at = this.module.take(4 * result.length);
      call(at);
      result.set(this.module.floats(at, result.length));
      return result;
    });
  }
}

function pointValues(point: BodyPoint): Values {
  return { nodes: point.nodes, weights: point.weights };
}
