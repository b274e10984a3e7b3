import { describe, expect, it } from "vitest";
import { dampingRatio, rayleighFor } from "./body_panel";

describe("the damping ratio", () => {
  it("and Rayleigh's factors are inverse to each other at the first mode", () => {
    for (const ratio of [0, 0.05, 1]) {
      expect(dampingRatio(rayleighFor(ratio, 2.7), 2.7)).toBeCloseTo(ratio, 12);
    }
  });
  it("is half of the mass factor over the angular frequency", () => {
    expect(dampingRatio({ mass: 4 * Math.PI, stiffness: 0 }, 1)).toBeCloseTo(1, 12);
  });
  it("is nought without modes", () => {
    expect(dampingRatio({ mass: 1, stiffness: 1 }, 0)).toBe(0);
    expect(rayleighFor(0.5, 0)).toEqual({ mass: 0, stiffness: 0 });
  });
});
