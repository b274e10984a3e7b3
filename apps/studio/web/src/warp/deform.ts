// A whole surface warped on the CPU: for picking, for checking the GPU, and where the model does
// not fit into its textures.
import type { BodyModel } from "../net/model";
import { coefficients } from "./reference";

/** u and w of one vertex, from the texels of net/model.ts. */
export function superpose(
  body: BodyModel,
  vertex: number,
  q: Float32Array,
  into: Float64Array,
): Float64Array {
  const { modeTexels: texels, vertexCount } = body;
  into.fill(0);
  const stride = 4 * vertexCount;
  let at = 4 * vertex;
  for (let mode = 0; mode < q.length; mode += 2, at += 3 * stride) {
    const a = q[mode]!;
    const b = mode + 1 < q.length ? q[mode + 1]! : 0;
    const t1 = at + stride;
    const t2 = t1 + stride;
    into[0]! += a * texels[at]! + b * texels[at + 3]!;
    into[1]! += a * texels[at + 1]! + b * texels[t1]!;
    into[2]! += a * texels[at + 2]! + b * texels[t1 + 1]!;
    into[3]! += a * texels[t1 + 2]! + b * texels[t2 + 1]!;
    into[4]! += a * texels[t1 + 3]! + b * texels[t2 + 2]!;
    into[5]! += a * texels[t2]! + b * texels[t2 + 3]!;
  }
  return into;
}

/**
 * Positions and, when asked for, normals of the vertices from `first` to before `last`, written
 * three numbers a vertex at the vertex's own place.
 */
export function deform(
  body: BodyModel,
  q: Float32Array,
  warped: boolean,
  positions: Float32Array,
  normals?: Float32Array,
  first = 0,
  last = body.vertexCount,
): void {
  const uw = new Float64Array(6);
  const played = q.length > body.modeCount ? q.subarray(0, body.modeCount) : q;
  for (let vertex = first; vertex < last; ++vertex) {
    superpose(body, vertex, played, uw);
    const [ux, uy, uz, wx, wy, wz] = uw as unknown as [number, number, number, number, number, number];
    const c = warped
      ? coefficients(Math.sqrt(wx * wx + wy * wy + wz * wz))
      : { sine: 1, versine: 0, remainder: 0 };
    const at = 3 * vertex;
    const ax = wy * uz - wz * uy;
    const ay = wz * ux - wx * uz;
    const az = wx * uy - wy * ux;
    const rest = body.restPositions;
    positions[at] = rest[at]! + ux + c.versine * ax + c.remainder * (wy * az - wz * ay);
    positions[at + 1] = rest[at + 1]! + uy + c.versine * ay + c.remainder * (wz * ax - wx * az);
    positions[at + 2] = rest[at + 2]! + uz + c.versine * az + c.remainder * (wx * ay - wy * ax);
    if (normals === undefined) continue;
    const nx = body.restNormals[at]!;
    const ny = body.restNormals[at + 1]!;
    const nz = body.restNormals[at + 2]!;
    const bx = wy * nz - wz * ny;
    const by = wz * nx - wx * nz;
    const bz = wx * ny - wy * nx;
    normals[at] = nx + c.sine * bx + c.versine * (wy * bz - wz * by);
    normals[at + 1] = ny + c.sine * by + c.versine * (wz * bx - wx * bz);
    normals[at + 2] = nz + c.sine * bz + c.versine * (wx * by - wy * bx);
    if (!warped) normalize(normals, at);
  }
}

function normalize(normals: Float32Array, at: number): void {
  const length = Math.hypot(normals[at]!, normals[at + 1]!, normals[at + 2]!);
  if (length === 0) return;
  for (let c = 0; c < 3; ++c) normals[at + c]! /= length;
}
