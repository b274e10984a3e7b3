// The point of a deformed surface under a ray.

export interface Hit {
  /** The corner nearest to the hit. */
  vertex: number;
  /** Along the ray, in units of its direction. */
  distance: number;
}

type Triple = readonly [number, number, number];

/** Möller and Trumbore's test on every triangle; `positions` holds three numbers a vertex. */
export function pick(
  positions: Float32Array,
  triangles: Uint32Array,
  origin: Triple,
  direction: Triple,
): Hit | undefined {
  const [ox, oy, oz] = origin;
  const [dx, dy, dz] = direction;
  let best: Hit | undefined;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t]!;
    const b = 3 * triangles[t + 1]!;
    const c = 3 * triangles[t + 2]!;
    const ax = positions[a]!;
    const ay = positions[a + 1]!;
    const az = positions[a + 2]!;
    const e1x = positions[b]! - ax;
    const e1y = positions[b + 1]! - ay;
    const e1z = positions[b + 2]! - az;
    const e2x = positions[c]! - ax;
    const e2y = positions[c + 1]! - ay;
    const e2z = positions[c + 2]! - az;
    const px = dy * e2z - dz * e2y;
    const py = dz * e2x - dx * e2z;
    const pz = dx * e2y - dy * e2x;
    const determinant = e1x * px + e1y * py + e1z * pz;
    if (determinant === 0) continue; // the ray lies in the triangle's plane
    const sx = ox - ax;
    const sy = oy - ay;
    const sz = oz - az;
    const u = (sx * px + sy * py + sz * pz) / determinant;
    if (u < 0 || u > 1) continue;
    const qx = sy * e1z - sz * e1y;
    const qy = sz * e1x - sx * e1z;
    const qz = sx * e1y - sy * e1x;
    const v = (dx * qx + dy * qy + dz * qz) / determinant;
    if (v < 0 || u + v > 1) continue;
    const distance = (e2x * qx + e2y * qy + e2z * qz) / determinant;
    if (distance <= 0 || (best !== undefined && distance >= best.distance)) continue;
    const corner = nearestCorner(u, v);
    best = { vertex: triangles[t + corner]!, distance };
  }
  return best;
}

/** By barycentric weight, the first corner's being 1 − u − v. */
function nearestCorner(u: number, v: number): 0 | 1 | 2 {
  const w = 1 - u - v;
  if (w >= u && w >= v) return 0;
  return u >= v ? 1 : 2;
}
