import { describe, expect, it } from "vitest";
import { addPoint, constant, evaluate, movePoint, removePoint } from "./spline";

const curve = { at: [0, 0.3, 0.6, 1], value: [0, 1, 1, -1] };

describe("a curve over the modes", () => {
  it("passes through its points", () => {
    curve.at.forEach((x, i) => expect(evaluate(curve, x)).toBeCloseTo(curve.value[i]!, 12));
  });
  it("never leaves the range of its neighbouring points", () => {
    for (let x = 0; x <= 1; x += 0.001) {
      const i = curve.at.filter((a) => a <= x).length - 1;
      const j = Math.min(i + 1, 3);
      const low = Math.min(curve.value[i]!, curve.value[j]!);
      const high = Math.max(curve.value[i]!, curve.value[j]!);
      const y = evaluate(curve, x);
      expect(y).toBeGreaterThanOrEqual(low - 1e-12);
      expect(y).toBeLessThanOrEqual(high + 1e-12);
    }
  });
  it("is level beyond its ends and when constant", () => {
    expect(evaluate(curve, -1)).toBe(0);
    expect(evaluate(curve, 2)).toBe(-1);
    expect(evaluate(constant(0.4), 0.77)).toBeCloseTo(0.4, 15);
  });
  it("keeps its points in order when one is moved", () => {
    expect(movePoint(curve, 1, 0.9, 2).at[1]).toBeCloseTo(0.59, 12);
    expect(movePoint(curve, 0, 0.5, 2)).toEqual({ at: [0, 0.3, 0.6, 1], value: [2, 1, 1, -1] });
  });
  it("takes points in and gives them up, but not its ends", () => {
    expect(addPoint(curve, 0.5, 7).at).toEqual([0, 0.3, 0.5, 0.6, 1]);
    expect(removePoint(curve, 1).at).toEqual([0, 0.6, 1]);
    expect(removePoint(curve, 0)).toBe(curve);
    expect(removePoint(curve, 3)).toBe(curve);
  });
});
