// A body with made-up modes for tests: random numbers from a fixed seed, the wire's layout.
import { TEXEL_ROW, texelIndex, type BodyModel } from "../net/model";

export function syntheticBody(vertexCount: number, modeCount: number, seed = 1): BodyModel {
  let state = seed;
  const random = () => {
    state = (1664525 * state + 1013904223) % 4294967296; // Numerical Recipes' generator
    return state / 2147483648 - 1;
  };
  const numbers = (count: number) => Float32Array.from({ length: count }, random);
  const texels = 3 * Math.ceil(modeCount / 2) * vertexCount;
  const modeTexels = new Float32Array(4 * TEXEL_ROW * Math.ceil(texels / TEXEL_ROW));
  for (let mode = 0; mode < modeCount; ++mode) {
    for (let vertex = 0; vertex < vertexCount; ++vertex) {
      for (let c = 0; c < 6; ++c) modeTexels[texelIndex(vertexCount, vertex, mode, c)] = random();
    }
  }
  const restNormals = numbers(3 * vertexCount);
  for (let i = 0; i < restNormals.length; i += 3) {
    const length = Math.hypot(restNormals[i]!, restNormals[i + 1]!, restNormals[i + 2]!);
    for (let c = 0; c < 3; ++c) restNormals[i + c]! /= length;
  }
  return {
    name: "synthetic",
    clamped: true,
    vertexCount,
    modeCount,
    restPositions: numbers(3 * vertexCount),
    restNormals,
    colours: new Float32Array(0),
    triangles: new Uint32Array([0, 1, 2]),
    modeTexels,
    fixedVertices: new Uint32Array(0),
    stiffness: new Float32Array(0),
    size: Math.sqrt(12), // diagonal of the cube from −1 to 1
  };
}
