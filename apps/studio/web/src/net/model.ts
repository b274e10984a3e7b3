// The model: what stays the same from frame to frame. A container of a JSON header and float and
// integer arrays, laid out so that the arrays go to the GPU as they came:
//   "LMBR", u32 bytes of the header, the header, then the sections it points to (4-byte aligned).
// Modes come as RGBA texels, two modes in three: texel (3·pair + k)·vertices + vertex holds
//   k = 0: φa.xyz φb.x   k = 1: φb.yz ψa.xy   k = 2: ψa.z ψb.xyz
// for modes a = 2·pair and b = a + 1, padded with zeros to whole rows of 4096 texels.
export const TEXEL_ROW = 4096;

export interface BodyModel {
  name: string;
  vertexCount: number;
  modeCount: number;
  restPositions: Float32Array;
  restNormals: Float32Array;
  /** Linear red, green, blue of each vertex; empty when the surface is not painted. */
  colours: Float32Array;
  triangles: Uint32Array;
  /** Empty when the body has no modes. */
  modeTexels: Float32Array;
  /** Diagonal of the rest shape's box, m. */
  size: number;
  /** Is it held by fixed nodes? Free bodies carry their own frame. */
  clamped: boolean;
  /** Vertices that hang on fixed nodes only. */
  fixedVertices: Uint32Array;
  /** log10 of Young's modulus around each vertex over the body's own; empty where it is the same all over. */
  stiffness: Float32Array;
}

export interface Model {
  bodies: BodyModel[];
  /** Box of all bodies at rest, m. */
  low: readonly [number, number, number];
  high: readonly [number, number, number];
  /** Height of the floor, m; null when there is none. */
  floor: number | null;
  /** Obstacles of any shape. */
  surfaces: SurfaceModel[];
}

export interface SurfaceModel {
  obstacle: number;
  positions: Float32Array;
  triangles: Uint32Array;
}

interface Section {
  offset: number;
  length: number;
}
interface Header {
  floor: number | null;
  surfaces: { obstacle: number; positions: Section; triangles: Section }[];
  bodies: {
    name: string;
    clamped: boolean;
    modes: number;
    positions: Section;
    normals: Section;
    colours: Section;
    triangles: Section;
    texels: Section;
    fixed: Section;
    stiffness?: Section;
  }[];
}

const MAGIC = "LMBR";
const PREFIX_BYTES = 8;

export function decodeModel(bytes: ArrayBuffer): Model {
  const text = new TextDecoder();
  if (text.decode(new Uint8Array(bytes, 0, 4)) !== MAGIC) throw new Error("This is not a model.");
  const headerBytes = new DataView(bytes).getUint32(4, true);
  const header = JSON.parse(text.decode(new Uint8Array(bytes, PREFIX_BYTES, headerBytes))) as Header;
  const start = PREFIX_BYTES + headerBytes;
  const floats = (s: Section) => new Float32Array(bytes, start + s.offset, s.length);
  const integers = (s: Section) => new Uint32Array(bytes, start + s.offset, s.length);
  const bodies = header.bodies.map((body): BodyModel => {
    const restPositions = floats(body.positions);
    return {
      name: body.name,
      clamped: body.clamped,
      vertexCount: restPositions.length / 3,
      modeCount: body.modes,
      restPositions,
      restNormals: floats(body.normals),
      colours: floats(body.colours),
      triangles: integers(body.triangles),
      modeTexels: floats(body.texels),
      fixedVertices: integers(body.fixed),
      stiffness: body.stiffness === undefined ? new Float32Array() : floats(body.stiffness),
      size: diagonal(boxOf([restPositions])),
    };
  });
  const box = boxOf(bodies.map((body) => body.restPositions));
  const surfaces = header.surfaces.map(({ obstacle, positions, triangles }): SurfaceModel => ({
    obstacle, positions: floats(positions), triangles: integers(triangles) }));
  return { bodies, low: box.low, high: box.high, floor: header.floor, surfaces };
}

type Triple = [number, number, number];
interface Box {
  low: Triple;
  high: Triple;
}

function boxOf(clouds: Float32Array[]): Box {
  const low: Triple = [Infinity, Infinity, Infinity];
  const high: Triple = [-Infinity, -Infinity, -Infinity];
  for (const points of clouds) {
    for (let i = 0; i < points.length; ++i) {
      const c = (i % 3) as 0 | 1 | 2;
      low[c] = Math.min(low[c], points[i]!);
      high[c] = Math.max(high[c], points[i]!);
    }
  }
  return clouds.length === 0 ? { low: [0, 0, 0], high: [1, 1, 1] } : { low, high };
}

function diagonal(box: Box): number {
  return Math.hypot(box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]);
}

/** Where number `component` (0..5: φ xyz, ψ xyz) of a vertex's mode stands in the texels. */
export function texelIndex(vertexCount: number, vertex: number, mode: number, component: number) {
  const pair = mode >> 1;
  const slot = mode % 2 === 0 ? [0, 1, 2, 6, 7, 8][component]! : [3, 4, 5, 9, 10, 11][component]!;
  return 4 * ((3 * pair + (slot >> 2)) * vertexCount + vertex) + (slot & 3);
}
