import { describe, expect, it } from "vitest";
import { decodeModel, texelIndex } from "./model";

function container(header: object, data: Float32Array): ArrayBuffer {
  let text = JSON.stringify(header);
  while (text.length % 4 !== 0) text += " ";
  const bytes = new ArrayBuffer(8 + text.length + data.byteLength);
  new Uint8Array(bytes).set(new TextEncoder().encode("LMBR"), 0);
  new DataView(bytes).setUint32(4, text.length, true);
  new Uint8Array(bytes).set(new TextEncoder().encode(text), 8);
  new Float32Array(bytes, 8 + text.length).set(data);
  return bytes;
}

describe("a model", () => {
  it("gives views of the arrays its header points to", () => {
    const header = {
      floor: null,
      surfaces: [],
      bodies: [{
        name: "a", clamped: true, modes: 0,
        positions: { offset: 0, length: 9 },
        normals: { offset: 36, length: 9 },
        colours: { offset: 36, length: 9 },
        triangles: { offset: 72, length: 0 },
        texels: { offset: 72, length: 0 },
        fixed: { offset: 72, length: 0 },
      }],
    };
    const data = Float32Array.of(0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1);
    const model = decodeModel(container(header, data));
    expect(model.bodies[0]!.vertexCount).toBe(3);
    expect(model.bodies[0]!.size).toBe(5);
    expect(model.high).toEqual([3, 4, 0]);
    expect(model.bodies[0]!.restNormals[2]).toBe(1);
    expect([...model.bodies[0]!.colours]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
  });
  it("of another kind is refused", () => {
    expect(() => decodeModel(new ArrayBuffer(16))).toThrow("not a model");
  });
});

describe("the texel layout", () => {
  it("puts every number of two modes into three texels once", () => {
    const places = new Set<number>();
    for (let vertex = 0; vertex < 3; ++vertex) {
      for (let mode = 0; mode < 4; ++mode) {
        for (let c = 0; c < 6; ++c) places.add(texelIndex(3, vertex, mode, c));
      }
    }
    expect(places.size).toBe(72);
    expect(Math.max(...places)).toBe(71);
  });
});
