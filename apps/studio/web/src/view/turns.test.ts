import * as THREE from "three";
import { expect, it } from "vitest";
import { ringTurn, spreadVertices } from "./turns";

it("points are spread: the corners of a square before what lies between them", () => {
  const square = Float32Array.of(0, 0, 0, 0.1, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.5, 0.4, 0);
  expect(spreadVertices(square, 4).sort()).toEqual([0, 2, 3, 4]);
  expect(spreadVertices(square, 99)).toHaveLength(6);
  expect(spreadVertices(Float32Array.of(1, 1, 1, 1, 1, 1), 5)).toEqual([0]); // one place, once
});

it("the turn of a ring of triangles is the turn that it made, whatever it is stretched by along with it", () => {
  const rest = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0.2);
  const ring = [[0, 1, 2], [0, 2, 3]] as const;
  const turn = new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(1, 2, -1).normalize(), 2.4);
  const now = rest.slice();
  const at = new THREE.Vector3();
  for (let i = 0; i < now.length; i += 3) at.fromArray(rest, i).multiplyScalar(1.7).applyQuaternion(turn).addScalar(3).toArray(now, i);
  const found = ringTurn(rest, now, ring);
  expect(Math.abs(found.dot(turn))).toBeCloseTo(1, 5); // floats
  expect(ringTurn(rest, rest, [])).toEqual(new THREE.Quaternion());
});
