import { describe, expect, it } from "vitest";
import { parseNumber } from "./numbers";

describe("a typed number", () => {
  it("may be bare", () => {
    expect([parseNumber("2.5"), parseNumber(" -3e5 "), parseNumber(",5"), parseNumber("7.")]).toEqual([2.5, -3e5, 0.5, 7]);
  });
  it("may have a unit and its prefix", () => {
    expect(parseNumber("1.2 MPa", "Pa")).toBeCloseTo(1.2e6, 3);
    expect(parseNumber("30k", "Pa")).toBe(30000);
    expect(parseNumber("5 ms", "s")).toBeCloseTo(0.005, 12);
    expect(parseNumber("2 m", "m")).toBe(2);
    expect(parseNumber("2 mm", "m")).toBe(0.002);
  });
  it("is none otherwise", () => {
    for (const text of ["", "soft", "1 2", "3 kg", "1e999", "--1"]) expect(parseNumber(text, "Pa"), text).toBeUndefined();
  });
});
