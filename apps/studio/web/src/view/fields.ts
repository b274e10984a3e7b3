// What a surface can be coloured by: numbers at its vertices, from what the page knows of it.

/** A third of the area of the triangles around each vertex. */
export function vertexAreas(positions: Float32Array, triangles: Uint32Array): Float32Array {
  const areas = new Float32Array(positions.length / 3);
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    const area = triangleArea(positions, triangles, t);
    for (let k = 0; k < 3; ++k) areas[triangles[t + k]!]! += area / 3;
  }
  return areas;
}

type Triple = [number, number, number];
const edge = (p: Float32Array, from: number, to: number): Triple =>
  [p[3 * to]! - p[3 * from]!, p[3 * to + 1]! - p[3 * from + 1]!, p[3 * to + 2]! - p[3 * from + 2]!];
const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function triangleArea(positions: Float32Array, triangles: Uint32Array, t: number): number {
  const [a, b] = [1, 2].map((k) => edge(positions, triangles[t]!, triangles[t + k]!)) as [Triple, Triple];
  return Math.sqrt(Math.max(0, dot(a, a) * dot(b, b) - dot(a, b) ** 2)) / 2;
}

/**
 * How much the surface is stretched or squeezed within itself: max |λ − 1| over the principal
 * stretches λ of each triangle (the square roots of the eigenvalues of G₀⁻¹ G, with G and G₀ the
 * edges' products now and at rest), as the mean over the triangles around a vertex by their areas.
 * Zero for whatever turn and shift.
 */
export function surfaceStrain(rest: Float32Array, now: Float32Array, triangles: Uint32Array): Float32Array {
  const sums = new Float32Array(rest.length / 3);
  const areas = vertexAreas(rest, triangles);
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    const corners = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!] as const;
    const products = [rest, now].map((p) => {
      const a = edge(p, corners[0], corners[1]);
      const b = edge(p, corners[0], corners[2]);
      return [dot(a, a), dot(a, b), dot(b, b)] as const;
    });
    const [e, f, g] = products[0]!;
    const [E, F, G] = products[1]!;
    const determinant = e * g - f * f;
    if (!(determinant > 0)) continue; // a triangle without area says nothing
    const half = (E * g - 2 * F * f + G * e) / (2 * determinant);
    const root = Math.sqrt(Math.max(0, half * half - (E * G - F * F) / determinant));
    const stretches = [half + root, half - root].map((square) => Math.sqrt(Math.max(0, square)));
    const strain = Math.max(...stretches.map((stretch) => Math.abs(stretch - 1)));
    const third = Math.sqrt(determinant) / 6;
    for (const corner of corners) sums[corner]! += third * strain;
  }
  return sums.map((sum, vertex) => (areas[vertex]! > 0 ? sum / areas[vertex]! : 0));
}

/** How far each vertex is from where another lane has it, in parts of `size`. */
export function distances(one: Float32Array, other: Float32Array, size: number): Float32Array {
  const result = new Float32Array(one.length / 3);
  for (let v = 0; v < result.length; ++v) {
    result[v] = Math.hypot(one[3 * v]! - other[3 * v]!, one[3 * v + 1]! - other[3 * v + 1]!, one[3 * v + 2]! - other[3 * v + 2]!) / size;
  }
  return result;
}

/**
 * Pressure, Pa: the force of each contact (six numbers: point and force) goes to the vertex nearest
 * to it, if that is not further than `reach`, and there over the vertex's area. The sum of pressure
 * times area is the sum of the forces.
 */
export function contactPressure(now: Float32Array, areas: Float32Array, touching: Float32Array, reach: number): Float32Array {
  const result = new Float32Array(areas.length);
  for (let c = 0; c + 5 < touching.length; c += 6) {
    let nearest = -1;
    let least = reach * reach;
    for (let v = 0; v < areas.length; ++v) {
      const square = (now[3 * v]! - touching[c]!) ** 2 + (now[3 * v + 1]! - touching[c + 1]!) ** 2 + (now[3 * v + 2]! - touching[c + 2]!) ** 2;
      if (square <= least) [nearest, least] = [v, square];
    }
    if (nearest < 0 || !(areas[nearest]! > 0)) continue;
    result[nearest]! += Math.hypot(touching[c + 3]!, touching[c + 4]!, touching[c + 5]!) / areas[nearest]!;
  }
  return result;
}

/** 1, 2 or 5 times a power of ten, not below the value: what a legend ends at. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((digit) => digit * power).find((round) => round >= value * (1 - 1e-9))!;
}

/** Viridis (van der Walt & Smith 2015), eight of its colours: even steps to the eye, and in grey too. */
const MAP: readonly Triple[] = [[68, 1, 84], [70, 50, 127], [54, 92, 141], [39, 127, 142], [31, 161, 135], [74, 194, 109],
  [159, 218, 58], [253, 231, 37]];

/** sRGB, 0 to 255. */
export function mapColour(part: number): Triple {
  const at = Math.min(1, Math.max(0, Number.isFinite(part) ? part : 0)) * (MAP.length - 1);
  const low = Math.min(MAP.length - 2, Math.floor(at));
  return MAP[low]!.map((c, k) => c + (at - low) * (MAP[low + 1]![k]! - c)) as Triple;
}
