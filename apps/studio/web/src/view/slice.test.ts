import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { slicePlanes } from "./slice";

describe("a slice", () => {
  it("keeps what lies below its plane", () => {
    const box = new THREE.Box3(new THREE.Vector3(0, 1, 0), new THREE.Vector3(2, 3, 2));
    const [plane] = slicePlanes("y", 0.25, box);
    expect(plane!.distanceToPoint(new THREE.Vector3(9, 1.4, 9))).toBeCloseTo(0.1);
    expect(plane!.distanceToPoint(new THREE.Vector3(0, 1.6, 0))).toBeCloseTo(-0.1);
    expect(slicePlanes("off", 0.5, box)).toEqual([]);
    expect(slicePlanes("x", 0.5, new THREE.Box3())).toEqual([]);
  });
});
