import { describe, expect, it } from "vitest";
import { verticesNear } from "./brush";

describe("a brush", () => {
  it("takes the vertices under it and no others", () => {
    const line = Float32Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? i / 30 : 0)); // at 0, 0.1, …, 0.9
    expect(verticesNear(line, 5, 0.15)).toEqual([4, 5, 6]);
    expect(verticesNear(line, 0, 0.01)).toEqual([0]);
  });
});
