// A baked body: its surface at rest and its modes. Any number of worlds share one.
import { Reader } from "./records.js";
import { LimberError, type Module } from "./module.js";

export type Vec3 = readonly [number, number, number];
/** x y z w */
export type Quaternion = readonly [number, number, number, number];

/** A point of a body: Σ weights·nodes. */
export interface BodyPoint {
  readonly nodes: readonly number[];
  readonly weights: readonly number[];
}

export interface ModelInfo {
  readonly nodes: number;
  readonly modes: number;
  /** Of the surface. */
  readonly vertices: number;
  readonly triangles: number;
  /** No fixed nodes: it flies. */
  readonly isFree: boolean;
  /** kg */
  readonly mass: number;
}

export class Model {
  readonly info: ModelInfo;
  /** @internal */
  readonly pointer: number;

  /** @internal */
  constructor(
    /** @internal */ readonly module: Module,
    file: BufferSource,
  ) {
    const bytes = file instanceof ArrayBuffer ? new Uint8Array(file)
      : new Uint8Array(file.buffer as ArrayBuffer, file.byteOffset, file.byteLength);
    const copy = module.allocate(Math.max(1, bytes.length));
    try {
      module.bytes(copy, bytes.length).set(bytes);
      this.pointer = module.scoped(() => {
        const result = module.take(4);
        module.call("limber_model_from_memory", copy, bytes.length, result);
        return module.view().getUint32(result, true);
      });
    } finally {
      module.free(copy);
    }
    this.info = this.readInfo();
  }

  private readInfo(): ModelInfo {
    return this.module.scoped(() => {
      const at = this.module.takeRecord("limber_model_info", {});
      this.module.call("limber_model_get_info", this.pointer, at);
      const read = new Reader(this.module.layouts, this.module.view(), at, "limber_model_info");
      return {
        nodes: read.number("nodes"),
        modes: read.number("modes"),
        vertices: read.number("vertices"),
        triangles: read.number("triangles"),
        isFree: read.number("is_free") === 1,
        mass: read.number("mass"),
      };
    });
  }

  /** Three vertices a triangle, counter-clockwise from outside: a three.js index. */
  triangles(): Uint32Array {
    const count = 3 * this.info.triangles;
    return this.module.borrowed(4 * count, (at) => {
      this.module.call("limber_model_triangles", this.pointer, at, count);
      return this.module.integers(at, count).slice();
    });
  }

  /** Positions and unit normals at rest, three numbers a vertex. */
  surface(): { positions: Float32Array; normals: Float32Array } {
    const [positions, normals] = this.streams("limber_model_surface", [], 2, [0]);
    return { positions: positions!, normals: normals! };
  }

  /** Linear red, green, blue of each vertex; none where the surface is not painted. */
  colours(): Float32Array | undefined {
    try {
      return this.streams("limber_model_colours", [], 1, [])[0];
    } catch (error) {
      if (error instanceof LimberError && error.failure === "bad-input") return undefined;
      throw error;
    }
  }

  /** Φ and Ψ of one mode at every vertex, for shaders that warp (Choi & Ko 2005, eq. 22). */
  mode(mode: number): { phi: Float32Array; psi: Float32Array } {
    const [phi, psi] = this.streams("limber_model_mode", [mode], 2, []);
    return { phi: phi!, psi: psi! };
  }

  /** rad²/s², ascending. */
  eigenvalues(): Float64Array {
    const count = this.info.modes;
    return this.module.borrowed(8 * count, (at) => {
      this.module.call("limber_model_eigenvalues", this.pointer, at, count);
      return this.module.doubles(at, count).slice();
    });
  }

  /** A vertex of the surface, to hold or to hit. */
  vertex(vertex: number): BodyPoint {
    return this.point("limber_model_vertex", () => vertex);
  }

  /** The node nearest to a place at rest that is not fixed. */
  nearest(place: Vec3): BodyPoint {
    return this.point("limber_model_nearest", () => this.module.takeDoubles(place));
  }

  /** Worlds keep what they use of it. */
  free(): void {
    this.module.plain("limber_model_free", this.pointer);
  }

  private point(name: string, argument: () => number): BodyPoint {
    return this.module.scoped(() => {
      const at = this.module.takeRecord("limber_point", {});
      this.module.call(name, this.pointer, argument(), at);
      const read = new Reader(this.module.layouts, this.module.view(), at, "limber_point");
      return { nodes: read.numbers("nodes"), weights: read.numbers("weights") };
    });
  }

  /** The results of a function that fills `count` streams of three floats a vertex. */
  private streams(name: string, first: number[], count: number, last: number[]): Float32Array[] {
    const floats = 3 * this.info.vertices;
    return this.module.borrowed(4 * floats * count, (at) => this.module.scoped(() => {
      const records = Array.from({ length: count }, (_, k) =>
        this.module.takeRecord("limber_stream", { data: at + 4 * floats * k, count: this.info.vertices }));
      this.module.call(name, this.pointer, ...first, ...records, ...last);
      return records.map((_, k) => this.module.floats(at + 4 * floats * k, floats).slice());
    }));
  }
}
