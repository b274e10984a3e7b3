import { describe, expect, it } from "vitest";
import { niceRange } from "./plot";

describe("a plot's range", () => {
  it("holds the values between round ends", () => {
    const [low, high] = niceRange(0.93, 1.21);
    expect(low).toBeLessThanOrEqual(0.93);
    expect(high).toBeGreaterThanOrEqual(1.21);
    expect(high - low).toBeLessThan(0.5);
  });
  it("is not empty for one value", () => {
    for (const value of [0, 1, -5e6]) {
      const [low, high] = niceRange(value, value);
      expect(high - low).toBeGreaterThan(0);
    }
  });
});
