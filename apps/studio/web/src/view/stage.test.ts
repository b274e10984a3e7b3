import { describe, expect, it } from "vitest";
import { viewRectangles } from "./stage";

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
