import { describe, expect, it } from "vitest";
import { coefficients, rotate, warpDisplacement, type Triple } from "./reference";

/** ∫₀¹ R(τw) u dτ by the midpoint rule. */
function quadrature(u: Triple, w: Triple): Triple {
  const steps = 20000;
  const sum: Triple = [0, 0, 0];
  for (let i = 0; i < steps; ++i) {
    const tau = (i + 0.5) / steps;
    const part = rotate(u, [tau * w[0], tau * w[1], tau * w[2]]);
    for (const c of [0, 1, 2] as const) sum[c] += part[c] / steps;
  }
  return sum;
}

describe("the mean rotation", () => {
  const u: Triple = [0.3, -0.2, 0.7];
  for (const angle of [0, 1e-8, 0.499, 0.501, 3, 3.2, 6.2, 6.4, 20]) {
    it(`is the mean of all smaller rotations at an angle of ${angle}`, () => {
      const w: Triple = [(2 / 3) * angle, (-1 / 3) * angle, (2 / 3) * angle];
      const expected = quadrature(u, w);
      const got = warpDisplacement(u, w);
      // The midpoint rule is off by |w|²/(24·steps²)·|u|: 4e-8 at the largest angle.
      for (const c of [0, 1, 2] as const) expect(got[c]).toBeCloseTo(expected[c], 7);
    });
  }
  it("changes into its series without a step", () => {
    const below = coefficients(0.5 - 1e-12);
    const above = coefficients(0.5);
    // Derivatives are below 1, so the values differ by 1e-12 plus rounding of 1e-16/θ³ = 1e-15.
    expect(Math.abs(below.remainder - above.remainder)).toBeLessThan(2e-12);
    expect(Math.abs(below.versine - above.versine)).toBeLessThan(2e-12);
  });
});

describe("a rotation", () => {
  it("by a quarter turn about z takes x to y", () => {
    const [x, y, z] = rotate([1, 0, 0], [0, 0, Math.PI / 2]);
    expect(x).toBeCloseTo(0, 14);
    expect(y).toBeCloseTo(1, 14);
    expect(z).toBe(0);
  });
});
