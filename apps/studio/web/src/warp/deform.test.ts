import { describe, expect, it } from "vitest";
import { texelIndex } from "../net/model";
import { deform } from "./deform";
import { rotate, warpDisplacement, type Triple } from "./reference";
import { syntheticBody } from "./synthetic_body";

/** u or w of a vertex, mode by mode from the layout's own definition. */
function superposed(body: ReturnType<typeof syntheticBody>, vertex: number, q: Float32Array,
  first: number): Triple {
  const sum: Triple = [0, 0, 0];
  q.forEach((amplitude, mode) => {
    for (const c of [0, 1, 2] as const) {
      sum[c] += amplitude * body.modeTexels[texelIndex(body.vertexCount, vertex, mode, first + c)]!;
    }
  });
  return sum;
}

describe("deforming a surface", () => {
  for (const modes of [1, 2, 7]) {
    it(`agrees with the formula vertex by vertex for ${modes} modes`, () => {
      const body = syntheticBody(23, modes);
      const q = Float32Array.from({ length: modes }, (_, i) => 1.5 - i);
      const positions = new Float32Array(69);
      const normals = new Float32Array(69);
      deform(body, q, true, positions, normals);
      for (let v = 0; v < 23; ++v) {
        const u = superposed(body, v, q, 0);
        const w = superposed(body, v, q, 3);
        const moved = warpDisplacement(u, w);
        const n = body.restNormals.subarray(3 * v, 3 * v + 3);
        const turned = rotate([n[0]!, n[1]!, n[2]!], w);
        for (const c of [0, 1, 2] as const) {
          // Results are stored as floats: half an ulp of numbers below 16.
          expect(Math.abs(positions[3 * v + c]! - body.restPositions[3 * v + c]! - moved[c])).toBeLessThan(2e-6);
          expect(Math.abs(normals[3 * v + c]! - turned[c])).toBeLessThan(1e-6);
        }
      }
    });
  }
  it("leaves the rest shape alone at zero amplitudes", () => {
    const body = syntheticBody(5, 4);
    const positions = new Float32Array(15);
    deform(body, new Float32Array(4), true, positions);
    expect(positions).toEqual(body.restPositions);
  });
  it("plays fewer modes than the body has when given fewer amplitudes", () => {
    const body = syntheticBody(5, 6);
    const few = new Float32Array(15);
    const padded = new Float32Array(15);
    deform(body, Float32Array.of(0.5, 0.25, 0.1), true, few);
    deform(body, Float32Array.of(0.5, 0.25, 0.1, 0, 0, 0), true, padded);
    expect(few).toEqual(padded);
  });
});
