import { describe, expect, it } from "vitest";
import { pick } from "./pick";

const positions = Float32Array.of(
  0, 0, 0, 1, 0, 0, 0, 1, 0, // a triangle at z = 0
  0, 0, 1, 1, 0, 1, 0, 1, 1, // and one in front of it
);
const triangles = Uint32Array.of(0, 1, 2, 3, 4, 5);

describe("picking", () => {
  it("finds the nearer of two triangles and the corner nearest to the hit", () => {
    const hit = pick(positions, triangles, [0.8, 0.1, 5], [0, 0, -1]);
    expect(hit).toEqual({ vertex: 4, distance: 4 });
  });
  it("finds the back of a triangle too", () => {
    expect(pick(positions, triangles, [0.1, 0.1, -5], [0, 0, 1])?.vertex).toBe(0);
  });
  it("finds nothing beside, behind or within the plane", () => {
    expect(pick(positions, triangles, [0.8, 0.8, 5], [0, 0, -1])).toBeUndefined();
    expect(pick(positions, triangles, [0.1, 0.1, 5], [0, 0, 1])).toBeUndefined();
    expect(pick(positions, triangles, [-1, 0.1, 0], [1, 0, 0])).toBeUndefined();
  });
});
