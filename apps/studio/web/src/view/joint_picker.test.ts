import { describe, expect, it } from "vitest";
import { jointsIn } from "../net/protocol";
import { promptOf } from "../ui/joint_section";
import { atStart, jointCommand, sameSide } from "./joint_picker";
import { nearestPlaces, weldRadius } from "./joint_places";

describe("a joint of two clicks", () => {
  const left = { side: { body: 0 }, at: [0, 0, 0] } as const;
  const right = { side: { body: 1 }, at: [1, 0, 2] } as const;
  it("stands half-way between two things, a distance at both", () => {
    expect(jointCommand("ball", left, right)).toMatchObject({ kind: "ball", a: { body: 0 }, b: { body: 1 }, at: [0.5, 0, 1], to: null });
    expect(jointCommand("distance", left, right)).toMatchObject({ at: [0, 0, 0], to: [1, 0, 2] });
  });
  it("stands on the body where the other side is the world", () => {
    expect(jointCommand("hinge", right, { side: null, at: [5, 5, 5] })).toMatchObject({ at: [1, 0, 2], b: null });
  });
  it("knows the same thing again", () => {
    expect(sameSide({ body: 1 }, { body: 1 })).toBe(true);
    expect(sameSide({ body: 1 }, { obstacle: 1 })).toBe(false);
    expect(sameSide(null, null)).toBe(true);
  });
  it("is asked for in words", () => expect(promptOf("weld", false)).toBe("A weld: click a point of the first body"));
});

it("a vertex at the scene's start is turned, then moved", () => {
  const half = Math.SQRT1_2; // a quarter turn about z takes x to y
  const [x, y, z] = atStart(Float32Array.of(0, 0, 0, 2, 0, 0), 1, { position: [1, 1, 1], rotation: [0, 0, half, half] });
  [[x, 1], [y, 3], [z, 1]].forEach(([got, wanted]) => expect(got).toBeCloseTo(wanted!, 6));
});

it("a frame's joints are ten numbers each; a force below zero says broken", () => {
  const numbers = Float32Array.of(1, 2, 3, 4, 5, 6, 0, 0, 1, 7, 0, 0, 0, 0, 0, 0, 1, 0, 0, -1);
  expect(jointsIn(numbers)).toEqual([{ a: [1, 2, 3], b: [4, 5, 6], axis: [0, 0, 1], force: 7, broken: false },
    { a: [0, 0, 0], b: [0, 0, 0], axis: [1, 0, 0], force: 0, broken: true }]);
});

describe("places by names", () => {
  const start = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };
  const state = { bodies: [{ name: "a", start }, { name: "b", start: { ...start, position: [10, 0, 0] } }], obstacles: [] } as never;
  const body = { vertexCount: 2, restPositions: Float32Array.of(-1, 0, 0, 1, 2, 0), size: 2 };
  const model = { bodies: [body, { ...body, size: 1 }] } as never;
  it("are the points nearest to each other, or the highest under the world", () => {
    expect(nearestPlaces(state, model, { body: 0 }, { body: 1 })).toEqual([[1, 2, 0], [9, 0, 0]]);
    expect(nearestPlaces(state, model, { body: 0 }, null)).toEqual([[1, 2, 0], [1, 2, 0]]);
    expect(nearestPlaces(state, model, null, null)).toBeUndefined();
  });
  it("welds hold a quarter of the smaller body unless they say more", () => {
    expect(weldRadius({ radius: 0, bodies: ["a", "b"] }, state, model)).toBe(0.25);
    expect(weldRadius({ radius: 0, bodies: ["a", null] }, state, model)).toBe(0.5);
    expect(weldRadius({ radius: 3, bodies: ["a", "b"] }, state, model)).toBe(3);
  });
});
