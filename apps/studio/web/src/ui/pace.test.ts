import { describe, expect, it } from "vitest";
import { Pace, paceText } from "./pace";

describe("the pace of time", () => {
  it("is that of the last second", () => {
    const pace = new Pace();
    for (let i = 0; i <= 300; ++i) pace.push(i / 60, i < 100 ? i / 60 : 100 / 60 + (0.25 * (i - 100)) / 60);
    expect(pace.factor).toBeCloseTo(0.25, 6);
  });
  it("says nothing before it knows, nor across a reset", () => {
    const pace = new Pace();
    pace.push(0, 5);
    expect(pace.factor).toBeUndefined();
    pace.push(2, 7);
    expect(pace.factor).toBeCloseTo(1, 9);
    pace.push(2.1, 0);
    expect(pace.factor).toBeUndefined();
  });
  it("names who is to blame when it is late", () => {
    expect(paceText(1, 1, "StVK")).toBe("1.0× real time");
    expect(paceText(0.4, 1, "StVK")).toBe("0.4× real time: StVK");
    expect(paceText(0.5, 0.5, "StVK")).toBe("0.5× real time");
    expect(paceText(undefined, 1, "StVK")).toBe("");
  });
});
