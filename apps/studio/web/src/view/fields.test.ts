import { describe, expect, it } from "vitest";
import { contactPressure, distances, mapColour, roundUp, surfaceStrain, vertexAreas } from "./fields";

// A unit square of two triangles.
const SQUARE = Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
const TWO = Uint32Array.from([0, 1, 2, 0, 2, 3]);
const mapped = (f: (x: number, y: number) => number[]) => Float32Array.from([0, 1, 2, 3].flatMap((v) => f(SQUARE[3 * v]!, SQUARE[3 * v + 1]!)));

describe("areas of vertices", () => {
  it("sum up to the surface's", () => {
    expect(vertexAreas(SQUARE, TWO).reduce((a, b) => a + b)).toBeCloseTo(1, 6);
  });
});

describe("strain of a surface", () => {
  it("is none under turns and shifts", () => {
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
    const turned = mapped((x, y) => [c * x + 3, y, s * x - 1]);
    for (const strain of surfaceStrain(SQUARE, turned, TWO)) expect(strain).toBeCloseTo(0, 6);
  });

  it("is that of the larger principal stretch", () => {
    for (const strain of surfaceStrain(SQUARE, mapped((x, y) => [1.25 * x, 0.9 * y, 0]), TWO)) expect(strain).toBeCloseTo(0.25, 6);
    for (const strain of surfaceStrain(SQUARE, mapped((x, y) => [1.1 * x, 0.6 * y, 0]), TWO)) expect(strain).toBeCloseTo(0.4, 6);
    // Simple shear by γ: λ = √(1 + γ²/4) ± γ/2.
    for (const strain of surfaceStrain(SQUARE, mapped((x, y) => [x + 0.5 * y, y, 0]), TWO)) {
      expect(strain).toBeCloseTo(Math.sqrt(1 + 0.0625) + 0.25 - 1, 6);
    }
  });

  it("stays finite where a triangle has no area", () => {
    const flat = Float32Array.from([0, 0, 0, 1, 0, 0, 2, 0, 0]);
    expect([...surfaceStrain(flat, flat, Uint32Array.from([0, 1, 2]))]).toEqual([0, 0, 0]);
  });
});

describe("errors and pressures", () => {
  it("are distances in parts of the size", () => {
    expect([...distances(SQUARE, mapped((x, y) => [x, y, 0.5]), 2)]).toEqual([0.25, 0.25, 0.25, 0.25]);
  });

  it("keep the sum of the forces, and leave out what is elsewhere", () => {
    const areas = vertexAreas(SQUARE, TWO);
    const touching = Float32Array.from([0.1, 0, 0, 0, 3, 4, 0.9, 1, 0, 0, 2, 0, 9, 9, 9, 0, 100, 0]);
    const pressure = contactPressure(SQUARE, areas, touching, 0.5);
    expect(pressure.reduce((sum, p, v) => sum + p * areas[v]!, 0)).toBeCloseTo(7, 5);
    expect(pressure[0]! * areas[0]!).toBeCloseTo(5, 5);
  });
});

describe("a legend", () => {
  it("ends at round numbers", () => {
    expect([0.0013, 0.002, 0.3, 7, 10, 11].map(roundUp)).toEqual([0.002, 0.002, 0.5, 10, 10, 20]);
    expect(roundUp(0)).toBe(0);
  });

  it("goes from dark to light, whatever it is asked", () => {
    expect(mapColour(0)).toEqual([68, 1, 84]);
    expect(mapColour(1)).toEqual([253, 231, 37]);
    expect(mapColour(NaN)).toEqual(mapColour(-3));
    const light = Array.from({ length: 20 }, (_, i) => mapColour(i / 19)).map(([r, g, b]) => 0.21 * r + 0.72 * g + 0.07 * b);
    light.forEach((value, i) => expect(value).toBeGreaterThan(i === 0 ? 0 : light[i - 1]!));
  });
});
