// Sharp edges: a vertex where faces meet at an angle is drawn once for each smooth part around it,
// each with a normal of its own. Everything else keeps speaking of the model's vertices.

/** Faces that meet at a larger angle than this are seen as an edge, rad. */
const CREASE = (75 * Math.PI) / 180;

export interface DrawnSurface {
  /** The model's vertex of each drawn one. */
  source: Uint32Array;
  /** Of drawn vertices. */
  triangles: Uint32Array;
  normals: Float32Array;
}

/** Drawn vertices 0..n−1 are the model's own; those that creases add come after. */
export function splitCreases(
  positions: Float32Array,
  restNormals: Float32Array,
  triangles: Uint32Array,
): DrawnSurface {
  const vertexCount = positions.length / 3;
  const faces = faceNormals(positions, triangles);
  const corners = cornersByVertex(triangles, vertexCount);
  const drawn = triangles.slice();
  const source = Array.from({ length: vertexCount }, (_, vertex) => vertex);
  const normals = Array.from(restNormals);
  for (let vertex = 0; vertex < vertexCount; ++vertex) {
    const groups = smoothGroups(corners[vertex]!, triangles, vertex, faces);
    if (groups.length < 2) continue;
    groups.forEach((group, index) => {
      const normal = meanNormal(group, faces);
      let number = vertex;
      if (index === 0) {
        normals.splice(3 * vertex, 3, ...normal);
      } else {
        number = source.push(vertex) - 1;
        normals.push(...normal);
      }
      for (const corner of group) drawn[corner] = number;
    });
  }
  return { source: Uint32Array.from(source), triangles: drawn, normals: Float32Array.from(normals) };
}

/** Unit normals; zero for flat triangles. */
function faceNormals(p: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
    const ux = p[b]! - p[a]!, uy = p[b + 1]! - p[a + 1]!, uz = p[b + 2]! - p[a + 2]!;
    const vx = p[c]! - p[a]!, vy = p[c + 1]! - p[a + 1]!, vz = p[c + 2]! - p[a + 2]!;
    const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(...n) || 1;
    for (let k = 0; k < 3; ++k) normals[t + k] = n[k]! / length;
  }
  return normals;
}

function cornersByVertex(triangles: Uint32Array, vertexCount: number): number[][] {
  const corners = Array.from({ length: vertexCount }, () => [] as number[]);
  triangles.forEach((vertex, corner) => corners[vertex]!.push(corner));
  return corners;
}

/** The corners around a vertex, parted where two faces meet at a crease or not at all. */
function smoothGroups(
  corners: number[],
  triangles: Uint32Array,
  vertex: number,
  faces: Float32Array,
): number[][] {
  const limit = Math.cos(CREASE);
  const parts = corners.map((corner) => ({ corner, group: -1, others: neighbours(triangles, corner, vertex) }));
  const groups: number[][] = [];
  for (const seed of parts) {
    if (seed.group >= 0) continue;
    const group: number[] = [];
    const open = [seed];
    seed.group = groups.length;
    while (open.length > 0) {
      const one = open.pop()!;
      group.push(one.corner);
      for (const other of parts) {
        if (other.group >= 0 || !other.others.some((v) => one.others.includes(v))) continue;
        if (cosine(faces, one.corner, other.corner) < limit) continue;
        other.group = seed.group;
        open.push(other);
      }
    }
    groups.push(group);
  }
  return groups;
}

function neighbours(triangles: Uint32Array, corner: number, vertex: number): number[] {
  const first = corner - (corner % 3);
  return [triangles[first]!, triangles[first + 1]!, triangles[first + 2]!].filter((v) => v !== vertex);
}

function cosine(faces: Float32Array, cornerA: number, cornerB: number): number {
  const a = cornerA - (cornerA % 3);
  const b = cornerB - (cornerB % 3);
  return faces[a]! * faces[b]! + faces[a + 1]! * faces[b + 1]! + faces[a + 2]! * faces[b + 2]!;
}

function meanNormal(corners: number[], faces: Float32Array): number[] {
  const sum = [0, 0, 0];
  for (const corner of corners) {
    const face = corner - (corner % 3);
    for (let k = 0; k < 3; ++k) sum[k]! += faces[face + k]!;
  }
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}
