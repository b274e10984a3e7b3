import { describe, expect, it } from "vitest";
import { guess, sizeInMetres } from "./import_guess";

const box = (x: number, y: number, z: number) => ({ low: [0, 0, 0] as [number, number, number],
  high: [x, y, z] as [number, number, number], vertices: 8, tets: 0 });

describe("a guess", () => {
  it("takes glTF at its word", () => {
    expect(guess("a.glb", box(500, 1, 1))).toMatchObject({ unit: "m", up: "y" });
  });

  it("goes by size and by what a format is used for", () => {
    expect(guess("a.stl", box(80, 60, 40))).toMatchObject({ unit: "mm", up: "z" });
    expect(guess("A.STL", box(800, 60, 40))).toMatchObject({ unit: "mm", up: "z" });
    expect(guess("a.obj", box(1.2, 0.4, 0.3))).toMatchObject({ unit: "m", up: "y" });
    expect(guess("a.obj", box(120, 40, 30))).toMatchObject({ unit: "cm", up: "y" });
    expect(guess("a.ply", box(4000, 40, 30))).toMatchObject({ unit: "mm", up: "y" });
  });
});

describe("sizes", () => {
  it("are those of the body as it will stand", () => {
    expect(sizeInMetres(box(1, 2, 3), { scale: 1, up: "y" })).toEqual([1, 2, 3]);
    expect(sizeInMetres(box(1, 2, 3), { scale: 2, up: "z" })).toEqual([2, 6, 4]);
    expect(sizeInMetres(box(1, 2, 3), { scale: 1, up: "x" })).toEqual([2, 1, 3]);
  });
});
