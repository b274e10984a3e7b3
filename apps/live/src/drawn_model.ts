// A baked body as the studio's picture wants it: the modes as texels for the vertex program.
import type { Model } from "@limber/runtime/core";
import { TEXEL_ROW, texelIndex, type BodyModel } from "../../studio/web/src/net/model";

export function drawnModel(name: string, model: Model): BodyModel {
  const { positions, normals } = model.surface();
  const { vertices, modes, isFree } = model.info;
  return {
    name,
    vertexCount: vertices,
    modeCount: modes,
    restPositions: positions,
    restNormals: normals,
    colours: model.colours() ?? new Float32Array(0),
    triangles: model.triangles(),
    modeTexels: texels(model),
    size: diagonal(positions),
    clamped: !isFree,
    fixedVertices: new Uint32Array(0),
  };
}

function texels(model: Model): Float32Array {
  const { vertices, modes } = model.info;
  const used = 3 * Math.ceil(modes / 2) * vertices;
  const all = new Float32Array(4 * TEXEL_ROW * Math.ceil(used / TEXEL_ROW));
  for (let mode = 0; mode < modes; ++mode) {
    const { phi, psi } = model.mode(mode);
    for (let vertex = 0; vertex < vertices; ++vertex) {
      for (let c = 0; c < 3; ++c) {
        all[texelIndex(vertices, vertex, mode, c)] = phi[3 * vertex + c]!;
        all[texelIndex(vertices, vertex, mode, 3 + c)] = psi[3 * vertex + c]!;
      }
    }
  }
  return all;
}

/** Of the box around the points. */
function diagonal(positions: Float32Array): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((x, k) => {
    low[k % 3] = Math.min(low[k % 3]!, x);
    high[k % 3] = Math.max(high[k % 3]!, x);
  });
  return Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!);
}
