import { describe, expect, it } from "vitest";
import { ticks } from "./timeline";

describe("ticks of a time line", () => {
  it("are few, even and at round times", () => {
    expect(ticks(1)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
    expect(ticks(2.3)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2, 2.2]);
    for (const span of [0.7, 3.4, 40, 1000]) expect(ticks(span).length).toBeLessThanOrEqual(13);
  });
});
