// A plane that cuts the bodies open, across one axis of the scene.
import * as THREE from "three";

export const SLICES = ["off", "x", "y", "z"] as const;
export type SliceAxis = (typeof SLICES)[number];

/** The plane through the box at `part` (0 to 1) of its width along the axis; keeps what lies below. */
export function slicePlanes(axis: SliceAxis, part: number, box: THREE.Box3): THREE.Plane[] {
  if (axis === "off" || box.isEmpty()) return [];
  const normal = new THREE.Vector3();
  normal[axis] = -1;
  return [new THREE.Plane(normal, box.min[axis] + part * (box.max[axis] - box.min[axis]))];
}
