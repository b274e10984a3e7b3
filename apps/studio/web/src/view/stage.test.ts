import { describe, expect, it } from "vitest";
import { steepest, viewRectangles } from "./stage";

describe("the camera", () => {
  it("stays a little above the floor from whatever distance", () => {
    for (const [above, distance] of [[0, 3], [0.5, 3], [0.5, 0.6], [4, 5]] as const) {
      const height = above + distance * Math.cos(steepest(above, distance));
      expect(height).toBeGreaterThanOrEqual(0.02 * distance - 1e-12);
    }
  });
  it("looks from straight below what is high above the floor", () => {
    expect(steepest(5, 3)).toBe(Math.PI);
  });
});

describe("the views", () => {
  it("share the canvas without gap or overlap", () => {
    for (const lanes of [1, 2, 3, 4]) {
      const views = viewRectangles(1200, 700, lanes, "side");
      expect(views).toHaveLength(lanes);
      const area = views.reduce((sum, view) => sum + view.width * view.height, 0);
      expect(area).toBeCloseTo(1200 * 700, 6);
    }
  });
  it("are one when lanes lie over each other", () => {
    expect(viewRectangles(1200, 700, 3, "over")).toEqual([{ x: 0, y: 0, width: 1200, height: 700 }]);
  });
});
