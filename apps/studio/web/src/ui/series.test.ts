import { describe, expect, it } from "vitest";
import { roundStep, Series } from "./series";

describe("what a plot remembers", () => {
  it("finds rows by their time", () => {
    const series = new Series();
    for (let i = 0; i < 10; ++i) series.push(i / 10, [i, -i]);
    expect(series.indexAt(0.35)).toBe(4);
    expect(series.indexAt(-1)).toBe(0);
    expect(series.indexAt(5)).toBe(10);
    expect(series.value(4, 1)).toBe(-4);
  });
  it("forgets the oldest and keeps the newest", () => {
    const series = new Series();
    for (let i = 0; i < 5000; ++i) series.push(i, [i]);
    expect(series.length).toBeLessThanOrEqual(3600);
    expect(series.last).toBe(4999);
    expect(series.value(series.length - 1, 0)).toBe(4999);
  });
  it("starts afresh when time goes back or curves change, and stands still with the scene", () => {
    const series = new Series();
    series.push(1, [1]);
    series.push(1, [2]);
    expect(series.length).toBe(1);
    series.push(0.5, [3]);
    expect(series.length).toBe(1);
    series.push(0.6, [3, 4]);
    expect([series.length, series.curves]).toEqual([1, 2]);
  });
  it("is a table that spreadsheets read, gaps left empty", () => {
    const series = new Series();
    series.push(0, [1, NaN]);
    series.push(0.5, [2, 1 / 3]);
    expect(series.csv(["a", 'b, "c"'])).toBe('time,a,"b, ""c"""\n0,1,\n0.5,2,0.333333333\n');
  });
});

describe("an axis", () => {
  it("has round steps", () => {
    expect([roundStep(10, 5), roundStep(3, 5), roundStep(0.7, 4)]).toEqual([2, 1, 0.2]);
  });
});
